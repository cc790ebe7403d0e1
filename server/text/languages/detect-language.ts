import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import type { eld as Eld } from 'eld/extrasmall';
import { findLanguage } from './languages.ts';
import { NgramTable, type NgramData } from './ngram-table.ts';
import { parseText } from '../format/parse-text.ts';

let detector: typeof Eld | undefined;

/** With fewer letters or words a guess is worthless. A Chinese or Korean character counts for more than a latin letter. */
const minLetters = 12;
const minWords = 5;
const minIdeographs = 4;
/** The beginning is enough, and bounds the time. */
const maxSampleLength = 2000;

/**
 * Returns the language of a text as a code of `languages`; undefined if the text is too short or ambiguous. Links,
 * mentions and hashtags are ignored.
 */
export function detectLanguage(text: string): string | undefined {
  const sample = parseText(text.slice(0, maxSampleLength))
    .filter(({ type }) => type === 'text')
    .map(({ raw }) => raw)
    .join(' ')
    .trim();
  const ideographs = sample.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu)?.length ?? 0;
  const words = sample.match(/\p{L}[\p{L}\p{M}’']*/gu) ?? [];
  const letters = words.join('').length;
  if ((letters < minLetters || words.length < minWords) && ideographs < minIdeographs) return undefined;
  detector ??= loadDetector();
  const guess = detector.detect(sample);
  const isReliable = guess.isReliable() || ideographs >= minIdeographs;
  return isReliable ? findLanguage(guess.language) : undefined;
}

/** The detector of the package `eld`, which its exports load together with tables of 29 MB. */
interface DetectorModule {
  createEld(): { readonly instance: typeof Eld; loadData(data: NgramData): void };
}

/** Loads the detector with the tables in `ngrams.bin`. */
function loadDetector(): typeof Eld {
  const manifest = findPackageJSON('eld', import.meta.url);
  if (manifest === undefined) throw new Error('the package eld is not installed');
  const require = createRequire(import.meta.url);
  const { createEld }: DetectorModule = require(join(manifest, '../src/languageDetector.js'));
  const { instance, loadData } = createEld();
  const table = new NgramTable(new Uint8Array(readFileSync(new URL('ngrams.bin', import.meta.url))));
  const ngrams = new Proxy({}, { get: (_, key) => (typeof key === 'string' ? table.find(key) : undefined) });
  loadData({ type: table.type, languages: table.languages, ngrams });
  return instance;
}
