import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eld } from 'eld/extrasmall';
import { expect, test } from 'vitest';
import { readNgramData, type NgramData } from './ngram-data.ts';
import { NgramTable } from './ngram-table.ts';

const source = join(findPackageJSON('eld', import.meta.url) ?? '', '../src/ngrams/extrasmall.js');
const { ngramsData } = createRequire(import.meta.url)(source) as { ngramsData: NgramData };

test('the table that is parsed from the source of the detector equals the one that it exports', () => {
  const data = readNgramData(source);
  expect({ type: data.type, languages: data.languages }).toEqual({
    type: ngramsData.type,
    languages: ngramsData.languages,
  });
  const ngrams = Object.entries(ngramsData.ngrams);
  expect(ngrams.length).toBeGreaterThan(40_000);
  const different = ngrams.filter(([ngram, scores]) => JSON.stringify(data.ngrams[ngram]) !== JSON.stringify(scores));
  expect(different).toEqual([]);
  expect(eld.info()).toMatchObject({ Languages: data.languages });
});

test('an n-gram that the table does not have has no scores', () => {
  const { ngrams } = readNgramData(source);
  for (const unknown of ['', 'zzzzzz', 'zzzzzzz', '語', 'constructor']) expect(ngrams[unknown]).toBeUndefined();
});

test('rows are read with and without quotes, up to the end of the table', () => {
  const table = new NgramTable(String.raw`'a\' ':{0:176,59:7},b_c:{3:1},7:{4:255}};`);
  expect(["a' ", 'b_c', '7', 'a'].map((ngram) => table.find(ngram))).toEqual([
    { 0: 176, 59: 7 },
    { 3: 1 },
    { 4: 255 },
    undefined,
  ]);
});

test('a source of another form is rejected', () => {
  for (const rows of [
    '',
    "'a':{0:1}",
    "'a':{0:1},",
    "'a':{0:256}}",
    "'a':{}}",
    "'語':{0:1}}",
    "'abcdefg':{0:1}}",
    "'a':[1]}",
  ])
    expect(() => new NgramTable(rows)).toThrow('unknown form');
  const folder = mkdtempSync(join(tmpdir(), 'ngrams-'));
  const file = join(folder, 'other.js');
  writeFileSync(file, 'export const ngramsData = {};');
  expect(() => readNgramData(file)).toThrow('unknown form');
  rmSync(folder, { recursive: true });
});
