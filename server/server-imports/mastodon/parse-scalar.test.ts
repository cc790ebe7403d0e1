import { expect, test } from 'vitest';
import { parseScalar } from './settings.ts';

test.each([
  ['--- approved\n', 'approved'],
  ['--- true\n...\n', 'true'],
  [`--- ''\n`, ''],
  [`--- 'it''s'\n`, `it's`],
  ['--- "a\\tb \\u00e9\\n c"\n', 'a\tb é\n c'],
  ['--- |-\n  # About\n\n  We\n', '# About\n\nWe'],
  ['--- >-\n  one\n  two\n', 'one two'],
  ['--- long\n  line\n', 'long line'],
])('the YAML of a setting %j is %j', (document, value) => {
  expect(parseScalar(document)).toBe(value);
});
