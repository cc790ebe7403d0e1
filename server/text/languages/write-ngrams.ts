// Writes ngrams.bin from the package `eld`: node bin/run.mjs server/text/languages/write-ngrams.ts, after an update of it.
import { writeFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { encodeNgrams, type NgramData } from './ngram-table.ts';

/** Loads the smallest tables of the package. */
export function loadPackagedNgrams(): NgramData {
  const file = join(findPackageJSON('eld', import.meta.url) ?? '', '../src/ngrams/extrasmall.js');
  return (createRequire(import.meta.url)(file) as { ngramsData: NgramData }).ngramsData;
}

if (import.meta.main) writeFileSync(new URL('ngrams.bin', import.meta.url), encodeNgrams(loadPackagedNgrams()));
