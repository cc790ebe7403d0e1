import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiJson, joinJsonList, JsonText } from './http-response.ts';

test('JSON text is converted to ASCII without changing its meaning', () => {
  expect(asciiJson({ name: 'Zoë 🦊\u2028', plain: 'a"\\' })).toBe(
    String.raw`{"name":"Zo\u00eb \ud83e\udd8a\u2028","plain":"a\"\\"}`,
  );
  // JSON.parse of Node 24 confuses keys with a backslash with escaped ones (see parse-json.test.ts).
  const key = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\\', ''));
  fc.assert(
    fc.property(fc.object({ key, stringUnit: 'binary' }), (value) => {
      const text = asciiJson(value);
      expect(text).toMatch(/^[ -~]*$/);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
    }),
  );
});

test('a long list is sent as the same bytes as a short one', () => {
  for (const word of ['plain', 'Zoë 🦊']) {
    for (const count of [0, 1, 2, 5_000]) {
      const values = Array.from(
        { length: count },
        (_, index) => `${word} ${index}, and some more words to make it long`,
      );
      const list = joinJsonList(values.map((value) => new JsonText(JSON.stringify(value))));
      expect(list.text).toBe(JSON.stringify(values));
      expect(Buffer.isBuffer(list.body())).toBe(count === 5_000);
      expect(list.body().toString()).toBe(JSON.stringify(values));
    }
  }
});
