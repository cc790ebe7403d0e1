/** Scores by index of language. */
export type Scores = Readonly<Record<number, number>>;

/** One row in the source of a table of the package `eld`: a key, quoted or not, and scores by index of language. */
const row = /(?:'((?:[^'\\]|\\.)+)'|([^\s'":,{}]+)):\{(\d+:\d+(?:,\d+:\d+)*)\}([,}])/y;
const maxKeyLength = 6;
const maxByte = 255;
/** As many as the hash has values: 17 bits. */
const slotCount = 0x2_0000;

/** Scores of n-grams in arrays of numbers, 1.3 MB for 50,000 n-grams. */
export class NgramTable {
  /** Hash table: one more than the index of the key, 0 if the slot is empty. At least a third is empty. */
  readonly #slots = new Uint32Array(slotCount);
  readonly #keys: Float64Array;
  /** Where the scores of a key end. They start where those of the key before end. */
  readonly #ends: Uint32Array;
  readonly #languages: Uint8Array;
  readonly #scores: Uint8Array;

  /** Reads `source`, the rows of an object literal without its opening brace. Throws if it has another form. */
  constructor(source: string) {
    const { keys, ends, languages, scores } = parseRows(source);
    if (keys.length > slotCount / 1.5) throw unknownForm();
    this.#keys = Float64Array.from(keys);
    this.#ends = Uint32Array.from(ends);
    this.#languages = Uint8Array.from(languages);
    this.#scores = Uint8Array.from(scores);
    for (const [index, key] of this.#keys.entries()) this.#slots[this.#findSlot(key)] = index + 1;
  }

  /** Returns the scores of an n-gram, undefined if there are none. */
  find(ngram: string): Scores | undefined {
    const key = packKey(ngram);
    const index = key === undefined ? 0 : (this.#slots[this.#findSlot(key)] ?? 0);
    if (index === 0) return undefined;
    const end = this.#ends[index - 1] ?? 0;
    const scores: Record<number, number> = {};
    for (let position = this.#ends[index - 2] ?? 0; position < end; position += 1)
      scores[this.#languages[position] ?? 0] = this.#scores[position] ?? 0;
    return scores;
  }

  /** Returns the slot of a key, or an empty one where it can be put. */
  #findSlot(key: number): number {
    const hash = Math.imul(key ^ (key / 0x1_0000_0000), 0x9e37_79b1);
    for (let slot = hash >>> 15; ; slot = (slot + 1) % slotCount) {
      const index = this.#slots[slot] ?? 0;
      if (index === 0 || this.#keys[index - 1] === key) return slot;
    }
  }
}

/** Numbers of all rows, in four lists instead of one object per row: those would leave the heap 20 MB larger. */
interface Rows {
  readonly keys: number[];
  /** Number of scores up to the end of each row. */
  readonly ends: number[];
  readonly languages: number[];
  readonly scores: number[];
}

function parseRows(source: string): Rows {
  const rows: Rows = { keys: [], ends: [], languages: [], scores: [] };
  row.lastIndex = 0;
  for (let delimiter = ','; delimiter === ',';) {
    const [, quoted, plain = '', list = '', next = ''] = row.exec(source) ?? [];
    const key = packKey(quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
    for (const pair of list.split(',')) addScore(rows, pair);
    if (next === '' || key === undefined) throw unknownForm();
    rows.keys.push(key);
    rows.ends.push(rows.scores.length);
    delimiter = next;
  }
  return rows;
}

function addScore({ languages, scores }: Rows, pair: string): void {
  const separator = pair.indexOf(':');
  const [language, score] = [Number(pair.slice(0, separator)), Number(pair.slice(separator + 1))];
  if (separator < 0 || language > maxByte || score > maxByte) throw unknownForm();
  languages.push(language);
  scores.push(score);
}

const unknownForm = (): Error => new Error('the rows of n-grams have an unknown form');

/** Packs up to six characters of Latin-1 into a number; undefined for other texts. */
function packKey(ngram: string): number | undefined {
  if (ngram.length > maxKeyLength) return undefined;
  let key = 0;
  for (let index = 0; index < ngram.length; index += 1) {
    const code = ngram.charCodeAt(index);
    if (code > maxByte) return undefined;
    key = key * (maxByte + 1) + code;
  }
  return key;
}
