/** Bytes, as they come from a file or a connection. */
export type Bytes = AsyncIterable<Buffer>;

/** Yields everything except the last `count` bytes, and returns those: fewer if the stream is shorter. */
export async function* holdBack(source: Bytes, count: number): AsyncGenerator<Buffer, Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = Math.max(all.length - count, 0);
    if (end > 0) yield all.subarray(0, end);
    held = all.subarray(end);
  }
  return held;
}

/** A part of a stream. */
export interface Frame {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Splits a stream into frames of `size` bytes. The last one may be shorter, and is empty only if the stream is. */
export async function* splitFrames(source: Bytes, size: number): AsyncGenerator<Frame> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    pending.push(chunk);
    bytes += chunk.length;
    // A frame is not the last one if a byte follows it.
    if (bytes <= size) continue;
    const all = Buffer.concat(pending);
    let start = 0;
    for (; all.length - start > size; start += size) yield { bytes: all.subarray(start, start + size), isLast: false };
    pending = [all.subarray(start)];
    bytes = all.length - start;
  }
  yield { bytes: Buffer.concat(pending), isLast: true };
}
