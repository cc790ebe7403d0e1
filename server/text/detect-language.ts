import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import type { eld as Eld } from 'eld/extrasmall';
import { isLanguage } from './languages.ts';
import { parseText } from './parse-text.ts';

let detector: typeof Eld | undefined;

/** Letters below which a guess is worth nothing: a sign of Chinese or Korean says more than a latin letter. */
const minLetters = 12;
const minIdeographs = 4;
/** The beginning tells enough, and bounds the time. */
const maxSampleLength = 2000;

/**
 * The language that a text is written in, as a code of `languages`; undefined when it is too short or unclear. Links,
 * mentions and hashtags do not count.
 */
export function detectLanguage(text: string): string | undefined {
  const sample = parseText(text.slice(0, maxSampleLength))
    .filter(({ type }) => type === 'text')
    .map(({ raw }) => raw)
    .join(' ')
    .trim();
  const ideographs = sample.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu)?.length ?? 0;
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters < minLetters && ideographs < minIdeographs) return undefined;
  // Its tables take 90 MB, so they are loaded when somebody first needs them.
  detector ??= loadDetector();
  const guess = detector.detect(sample);
  const isReliable = guess.isReliable() || ideographs >= minIdeographs;
  return isReliable && isLanguage(guess.language) ? guess.language : undefined;
}

/** The package offers its tables to `import` only, which cannot be done on demand within a function that answers at once. */
function loadDetector(): typeof Eld {
  const manifest = findPackageJSON('eld', import.meta.url);
  if (manifest === undefined) throw new Error('the package eld is not installed');
  const require = createRequire(import.meta.url);
  return (require(join(manifest, '../src/entries/static.extrasmall.js')) as { eld: typeof Eld }).eld;
}
