/** Scores by index of language. */
export type Scores = Readonly<Record<number, number>>;

/** Tables of the package `eld`, as its detector takes them. */
export interface NgramData {
  readonly type: string;
  /** Codes of languages, of two letters, by index. */
  readonly languages: Readonly<Record<number, string>>;
  readonly ngrams: Readonly<Record<string, Scores | undefined>>;
}

/** Lengths at the beginning of an encoded table: keys, scores, languages, and the bytes of the type. */
const headerLength = 4;
const maxKeyLength = 6;
const maxByte = 255;

/** Encodes tables as arrays of numbers, which `NgramTable` reads without parsing. Throws if they have another form. */
export function encodeNgrams({ type, languages, ngrams }: NgramData): Uint8Array {
  const rows = Object.entries(ngrams)
    .map(([ngram, scores = {}]) => ({ key: packKey(ngram) ?? Number.NaN, scores: Object.entries(scores) }))
    .toSorted((a, b) => a.key - b.key);
  const codes = Object.values(languages);
  const pairs = rows.flatMap(({ scores }) => scores.map(([language, score]) => [Number(language), score] as const));
  let end = 0;
  const ends = rows.map(({ scores }) => (end += scores.length));
  const isKnown =
    rows.every(({ key }) => key > 0) &&
    codes.every((code) => code.length === 2) &&
    pairs.flat().every((value) => Number.isInteger(value) && value >= 0 && value <= maxByte);
  if (!isKnown) throw new Error('the n-grams have an unknown form');
  return Buffer.concat([
    bytesOf(Float64Array.from([rows.length, pairs.length, codes.length, type.length])),
    bytesOf(Float64Array.from(rows, ({ key }) => key)),
    bytesOf(Uint32Array.from(ends)),
    Uint8Array.from(pairs, ([language]) => language),
    Uint8Array.from(pairs, ([, score]) => score),
    Buffer.from(codes.join('') + type, 'latin1'),
  ]);
}

const bytesOf = ({ buffer }: Float64Array | Uint32Array): Uint8Array => new Uint8Array(buffer);

/** Encoded tables: 1.2 MB for 50,000 n-grams, which would take 29 MB as objects. */
export class NgramTable {
  readonly type: string;
  readonly languages: Readonly<Record<number, string>>;
  readonly #keys: Float64Array;
  /** Where the scores of a key end. They start where those of the key before end. */
  readonly #ends: Uint32Array;
  readonly #languages: Uint8Array;
  readonly #scores: Uint8Array;

  constructor({ buffer }: Uint8Array<ArrayBuffer>) {
    const [keys = 0, scores = 0, codes = 0] = new Float64Array(buffer, 0, headerLength);
    this.#keys = new Float64Array(buffer, headerLength * Float64Array.BYTES_PER_ELEMENT, keys);
    this.#ends = new Uint32Array(buffer, endOf(this.#keys), keys);
    this.#languages = new Uint8Array(buffer, endOf(this.#ends), scores);
    this.#scores = new Uint8Array(buffer, endOf(this.#languages), scores);
    const text = Buffer.from(buffer, endOf(this.#scores)).toString('latin1');
    this.languages = Object.fromEntries(Array.from({ length: codes }, (_, at) => [at, text.slice(2 * at, 2 * at + 2)]));
    this.type = text.slice(2 * codes);
  }

  /** Returns the scores of an n-gram, undefined if there are none. */
  find(ngram: string): Scores | undefined {
    const index = this.#indexOf(packKey(ngram));
    if (index === undefined) return undefined;
    const scores: Record<number, number> = {};
    for (let at = this.#ends[index - 1] ?? 0; at < (this.#ends[index] ?? 0); at += 1)
      scores[this.#languages[at] ?? 0] = this.#scores[at] ?? 0;
    return scores;
  }

  #indexOf(key: number | undefined): number | undefined {
    if (key === undefined) return undefined;
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return this.#keys[low] === key ? low : undefined;
  }
}

const endOf = ({ byteOffset, byteLength }: ArrayBufferView): number => byteOffset + byteLength;

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
