import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiJson } from './answers.ts';

test('JSON that is kept says the same in ASCII', () => {
  expect(asciiJson({ name: 'Zoë 🦊\u2028', plain: 'a"\\' })).toBe(
    String.raw`{"name":"Zo\u00eb \ud83e\udd8a\u2028","plain":"a\"\\"}`,
  );
  fc.assert(
    fc.property(fc.object({ stringUnit: 'binary' }), (value) => {
      const text = asciiJson(value);
      expect(text).toMatch(/^[ -~]*$/);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
    }),
  );
});
