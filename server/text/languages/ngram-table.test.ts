import { readFileSync } from 'node:fs';
import { eld } from 'eld/extrasmall';
import { expect, test } from 'vitest';
import { encodeNgrams, NgramTable } from './ngram-table.ts';
import { loadPackagedNgrams } from './write-ngrams.ts';

const packaged = loadPackagedNgrams();
const encoded = readFileSync(new URL('ngrams.bin', import.meta.url));

test('ngrams.bin has the tables of the package (node bin/run.mjs server/text/languages/write-ngrams.ts)', () => {
  expect(encoded.equals(encodeNgrams(packaged))).toBe(true);
  const table = new NgramTable(new Uint8Array(encoded));
  expect({ type: table.type, languages: table.languages }).toEqual({
    type: packaged.type,
    languages: packaged.languages,
  });
  const ngrams = Object.entries(packaged.ngrams);
  expect(ngrams.length).toBeGreaterThan(40_000);
  const different = ngrams.filter(([ngram, scores]) => JSON.stringify(table.find(ngram)) !== JSON.stringify(scores));
  expect(different).toEqual([]);
  expect(eld.info()).toMatchObject({ Languages: table.languages });
});

test('an n-gram that the table does not have has no scores', () => {
  const table = new NgramTable(new Uint8Array(encoded));
  for (const unknown of ['', 'zzzzzz', 'zzzzzzz', '語', 'constructor']) expect(table.find(unknown)).toBeUndefined();
});

test('n-grams of all bytes are found, up to the last one', () => {
  const ngrams = { "a' ": { 0: 176, 59: 7 }, b_c: { 3: 1 }, 7: { 4: 255 }, ÿÿÿÿÿÿ: { 1: 0 } };
  const table = new NgramTable(new Uint8Array(encodeNgrams({ type: 'test', languages: { 0: 'en', 1: 'de' }, ngrams })));
  expect(["a' ", 'b_c', '7', 'ÿÿÿÿÿÿ', 'a'].map((ngram) => table.find(ngram))).toEqual([
    { 0: 176, 59: 7 },
    { 3: 1 },
    { 4: 255 },
    { 1: 0 },
    undefined,
  ]);
  expect([table.type, table.languages]).toEqual(['test', { 0: 'en', 1: 'de' }]);
});

test('tables of another form are rejected', () => {
  for (const ngrams of [{ '': { 0: 1 } }, { a: { 0: 256 } }, { a: { 0: 0.5 } }, { a: { 256: 1 } }, { 語: { 0: 1 } }])
    expect(() => encodeNgrams({ type: 'test', languages: {}, ngrams })).toThrow('unknown form');
  expect(() => encodeNgrams({ type: 'test', languages: {}, ngrams: { abcdefg: { 0: 1 } } })).toThrow('unknown form');
  expect(() => encodeNgrams({ type: 'test', languages: { 0: 'eng' }, ngrams: {} })).toThrow('unknown form');
});
