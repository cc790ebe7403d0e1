import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { foldWord, type Word } from '../text/index.ts';

/** PostgreSQL's snowball dictionaries by ISO 639-1 code. Older releases lack some; their languages have no stems. */
const dictionaries: Readonly<Record<string, string>> = {
  ar: 'arabic_stem',
  ca: 'catalan_stem',
  da: 'danish_stem',
  de: 'german_stem',
  el: 'greek_stem',
  en: 'english_stem',
  es: 'spanish_stem',
  et: 'estonian_stem',
  eu: 'basque_stem',
  fi: 'finnish_stem',
  fr: 'french_stem',
  ga: 'irish_stem',
  hi: 'hindi_stem',
  hu: 'hungarian_stem',
  hy: 'armenian_stem',
  id: 'indonesian_stem',
  it: 'italian_stem',
  lt: 'lithuanian_stem',
  nb: 'norwegian_stem',
  ne: 'nepali_stem',
  nl: 'dutch_stem',
  nn: 'norwegian_stem',
  no: 'norwegian_stem',
  pt: 'portuguese_stem',
  ro: 'romanian_stem',
  ru: 'russian_stem',
  sr: 'serbian_stem',
  sv: 'swedish_stem',
  ta: 'tamil_stem',
  tr: 'turkish_stem',
  yi: 'yiddish_stem',
};

/** Words and the language that they are in: a BCP 47 tag, or null when it is unknown. */
export interface WordsInLanguage {
  readonly language: string | null;
  readonly words: readonly Word[];
}

/** Returns the stem of a word, folded; undefined for a stop word and for a stem that equals the folded word. */
export type Stemmer = (language: string | null, word: Word) => string | undefined;

/**
 * Loads the stems of words in one query. The returned function knows only those words. Languages without a dictionary in
 * PostgreSQL, such as Japanese, have no stems.
 */
export async function loadStems(app: App, texts: readonly WordsInLanguage[]): Promise<Stemmer> {
  const wanted = new Map<string, { dictionary: string; word: string }>();
  for (const { language, words } of texts) {
    const dictionary = findDictionary(language);
    if (dictionary === undefined) continue;
    for (const { accented } of words) {
      if (accented !== undefined) wanted.set(`${dictionary} ${accented}`, { dictionary, word: accented });
    }
  }
  const stems = new Map<string, string>();
  if (wanted.size > 0) {
    const { rows } = await sql<{ dictionary: string; word: string; stem: string | null }>`
      select wanted.dictionary, wanted.word, (ts_lexize(dict.oid::regdictionary, wanted.word))[1] as stem
      from unnest(${[...wanted.values()].map(({ dictionary }) => dictionary)}::text[],
          ${[...wanted.values()].map(({ word }) => word)}::text[]) as wanted (dictionary, word)
        join pg_ts_dict dict
          on dict.dictname = wanted.dictionary and dict.dictnamespace = 'pg_catalog'::regnamespace`.execute(app.db);
    for (const { dictionary, word, stem } of rows) {
      if (stem !== null) stems.set(`${dictionary} ${word}`, foldWord(stem));
    }
  }
  return (language, { folded, accented }) => {
    const stem = stems.get(`${findDictionary(language)} ${accented}`);
    return stem === '' || stem === folded ? undefined : stem;
  };
}

function findDictionary(language: string | null): string | undefined {
  const code = language?.split('-')[0]?.toLowerCase() ?? '';
  return Object.hasOwn(dictionaries, code) ? dictionaries[code] : undefined;
}
