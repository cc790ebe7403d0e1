import type { Storage } from '../../platform/storage/storage.ts';
import type { Pace } from './pace.ts';

/** Maximum bytes of one request after the first one failed. */
const rangeBytes = 4 * 1024 ** 2;
const maxAttempts = 4;

/** A stored file of known size. */
export interface OpenMedia {
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Opens a stored file; undefined if it was deleted. If the stream breaks off, the rest is requested by ranges. */
export async function openMedia(storage: Storage, key: string, pace: Pace): Promise<OpenMedia | undefined> {
  const file = await retry(() => storage.openStream(key));
  if (file === undefined) return undefined;
  const { size, stream } = file;
  return { size, content: read() };

  async function* read(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        await pace(chunk.length);
        sent += chunk.length;
        yield chunk;
      }
    } catch {
      yield* readRest(sent);
    } finally {
      stream.destroy();
    }
  }

  async function* readRest(start: number): AsyncGenerator<Uint8Array> {
    for (let sent = start; sent < size;) {
      const from = sent;
      const part = await retry(() => storage.get(key, { start: from, end: Math.min(from + rangeBytes, size) - 1 }));
      if (part === undefined || part.body.length === 0) throw new Error(`${key} was deleted while it was read`);
      await pace(part.body.length);
      sent += part.body.length;
      yield part.body;
    }
  }
}

async function retry<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
}
