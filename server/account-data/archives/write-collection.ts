import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface Collection {
  readonly id: string;
  readonly context: unknown;
}

/** Writes an OrderedCollection to a file, a batch of items at a time. */
export async function writeCollection(
  path: string,
  { id, context }: Collection,
  batches: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  await pipeline(Readable.from(parts(id, context, batches)), createWriteStream(path, { mode: 0o600 }));
}

/** The number of items comes last, because it is known only then. */
async function* parts(id: string, context: unknown, batches: AsyncIterable<readonly unknown[]>) {
  const head = JSON.stringify({ '@context': context, id, type: 'OrderedCollection' });
  yield `${head.slice(0, -1)},"orderedItems":[`;
  let count = 0;
  for await (const items of batches) {
    for (const item of items) {
      yield `${count === 0 ? '' : ','}${JSON.stringify(item)}`;
      count += 1;
    }
  }
  yield `],"totalItems":${count}}`;
}
