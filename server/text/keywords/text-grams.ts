const bitCount = 8_192;

/**
 * The runs of one to three units that a text has, as a set of hashes. A text that lacks a run of a keyword does not have
 * the keyword, which takes far less time to find out than a search.
 */
export class TextGrams {
  readonly #bits = new Int32Array(bitCount / 32);

  constructor(text: string) {
    let [second, third] = [0, 0];
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      this.#add(hashGram(0, 0, unit));
      this.#add(hashGram(0, second, unit));
      this.#add(hashGram(third, second, unit));
      third = second;
      second = unit;
    }
  }

  /** Whether the text may have a run with this hash. */
  has(gram: number): boolean {
    return ((this.#bits[gram >>> 5] as number) & (1 << (gram & 31))) !== 0;
  }

  #add(gram: number): void {
    this.#bits[gram >>> 5] = (this.#bits[gram >>> 5] as number) | (1 << (gram & 31));
  }
}

/** Returns the hashes of the first and the last run of a text that is not empty, three units long or as long as the text. */
export function outerGrams(text: string): readonly [first: number, last: number] {
  const gramAt = (end: number): number =>
    hashGram(end < 3 ? 0 : text.charCodeAt(end - 3), end < 2 ? 0 : text.charCodeAt(end - 2), text.charCodeAt(end - 1));
  return [gramAt(Math.min(3, text.length)), gramAt(text.length)];
}

/** Returns a number below `bitCount`. Units that are missing before shorter runs are 0. */
function hashGram(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & (bitCount - 1);
}
