/** A file is no JSON with items, or ends too early. */
export class NotItemsError extends Error {
  override name = 'NotItemsError';
}

const [quote, backslash, openArray, closeArray, openObject, closeObject, comma, colon] = Buffer.from('"\\[]{},:');
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The name of the array in a collection of ActivityPub. */
const itemsKey = 'orderedItems';
const maxKeyLength = 64;

/**
 * Splits JSON into the items of its array, without holding more than one of them: of the array that the whole is, or of
 * `orderedItems` in the object that it is. Yields null for an item of more than `maxItemBytes`. An item need not be valid
 * JSON. Throws NotItemsError if there is no such array, or if the text ends before it.
 */
export async function* splitJsonItems(
  chunks: AsyncIterable<Uint8Array>,
  maxItemBytes: number,
): AsyncGenerator<string | null> {
  const splitter = new Splitter(maxItemBytes);
  for await (const chunk of chunks) yield* splitter.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  splitter.end();
}

class Splitter {
  readonly #maxItemBytes: number;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isRootObject = false;
  /** The last text at depth 1 of the object, which may be a key. */
  #text: number[] = [];
  #key = '';
  /** Depth inside the array of items: 0 before it, -1 after it. */
  #itemDepth = 0;
  /** Parts of the current item; undefined between items. */
  #parts: Buffer[] | undefined;
  #size = 0;

  constructor(maxItemBytes: number) {
    this.#maxItemBytes = maxItemBytes;
  }

  *take(chunk: Buffer): Generator<string | null> {
    let start = 0;
    for (let place = 0; place < chunk.length && this.#itemDepth >= 0; place += 1) {
      const byte = chunk[place] ?? 0;
      if (this.#itemDepth === 0) {
        this.#findItems(byte);
        continue;
      }
      if (this.#isInText) {
        this.#readText(byte);
        continue;
      }
      const isBetween = this.#depth === this.#itemDepth && (byte === comma || byte === closeArray);
      if (isBetween && this.#parts !== undefined) yield this.#finish(chunk.subarray(start, place));
      if (isBetween) {
        if (byte === closeArray) this.#itemDepth = -1;
        continue;
      }
      if (this.#parts === undefined) {
        if (isSpace(byte)) continue;
        this.#parts = [];
        this.#size = 0;
        start = place;
      }
      this.#count(byte);
    }
    if (this.#parts !== undefined) this.#add(chunk.subarray(start));
  }

  end(): void {
    if (this.#itemDepth !== -1) throw new NotItemsError();
  }

  #count(byte: number): void {
    if (byte === quote) this.#isInText = true;
    else if (byte === openArray || byte === openObject) this.#depth += 1;
    else if (byte === closeArray || byte === closeObject) this.#depth -= 1;
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #findItems(byte: number): void {
    if (this.#isInText) {
      this.#readText(byte);
      if (this.#isInText && this.#depth === 1 && this.#text.length <= maxKeyLength) this.#text.push(byte);
      return;
    }
    if (this.#depth === 0) {
      // A byte order mark is no error.
      if (isSpace(byte) || byte === 0xef || byte === 0xbb || byte === 0xbf) return;
      if (byte !== openArray && byte !== openObject) throw new NotItemsError();
      this.#isRootObject = byte === openObject;
      this.#depth = 1;
      if (!this.#isRootObject) this.#itemDepth = 1;
      return;
    }
    if (byte === quote) this.#text = [];
    if (byte === colon && this.#depth === 1) this.#key = Buffer.from(this.#text).toString();
    this.#count(byte);
    if (byte === openArray && this.#depth === 2 && this.#key === itemsKey) this.#itemDepth = 2;
    if (this.#depth === 0) throw new NotItemsError();
  }

  /** Adds bytes to the current item, unless it is too large. */
  #add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxItemBytes) this.#parts = [];
    else this.#parts?.push(Buffer.from(bytes));
  }

  #finish(rest: Buffer): string | null {
    this.#add(rest);
    const text = this.#size > this.#maxItemBytes ? null : Buffer.concat(this.#parts ?? []).toString();
    this.#parts = undefined;
    return text;
  }
}
