import { readFileSync } from 'node:fs';
import { NgramTable, type Scores } from './ngram-table.ts';

/** Tables of the package `eld`, as its detector takes them. */
export interface NgramData {
  readonly type: string;
  /** Codes of languages by index. */
  readonly languages: Readonly<Record<number, string>>;
  readonly ngrams: Readonly<Record<string, Scores | undefined>>;
}

/** What is before the rows of the table in its source. */
const beginning = /ngramsData = \{type:'(\w+)',languages:\{([^{}]+)\},isSubset:false,ngrams:\{/;

/**
 * Reads a table from its source, a module with one object literal. Importing the module would leave 29 MB of objects on
 * the heap, and 60 MB of memory that compiling it took. Throws if the source has another form.
 */
export function readNgramData(file: string): NgramData {
  const source = readFileSync(file, 'utf8');
  const match = beginning.exec(source);
  if (match === null) throw new Error('the tables of eld have an unknown form');
  const [text, type = '', languages = ''] = match;
  const table = new NgramTable(source.slice(match.index + text.length));
  return {
    type,
    languages: Object.fromEntries(languages.matchAll(/(\d+):'(\w+)'/g).map(([, index, code]) => [index, code])),
    ngrams: new Proxy({}, { get: (_, key) => (typeof key === 'string' ? table.find(key) : undefined) }),
  };
}
