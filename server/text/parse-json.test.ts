import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

/** Texts of plain characters, NUL, backslashes, lone surrogates, surrogate pairs and text that looks like an escape. */
const texts = fc
  .array(fc.constantFrom('a', '\0', '\\', 'u0000', '\ud83d', '\ude00', '😀', '\\u0000', '\\ud83d', '"', 'é', '\n'))
  .map((parts) => parts.join(''));
/**
 * Keys without a backslash: after an object with the key `\\`, JSON.parse of Node 24 (V8 13.6) returns that key for
 * other keys that are a single escape, such as `"\n"`. The server uses no key with a backslash.
 */
const keys = texts.map((text) => text.replaceAll('\\', ''));
const documents = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Escapes every non-ASCII character in JSON, as many encoders do. */
const escaped = (json: string): string =>
  json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '');

function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map(cleanDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleanDeep(item)]));
}

test('foreign JSON is parsed without NUL and lone surrogates, including in keys, however it is escaped', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const json = JSON.stringify(document);
      expect(parseJson(json)).toEqual(cleanDeep(document));
      expect(parseJson(escaped(json))).toEqual(cleanDeep(document));
    }),
    { numRuns: 500 },
  );
});

test('invalid JSON is rejected, and a key can name a prototype without setting one', () => {
  expect(() => parseJson('{"a":')).toThrow(SyntaxError);
  const value = parseJson(String.raw`{"__pro\u0000to__":{"polluted":1}}`) as Record<string, unknown>;
  expect(value['polluted']).toBeUndefined();
  expect(Object.keys(value)).toEqual(['__proto__']);
});
