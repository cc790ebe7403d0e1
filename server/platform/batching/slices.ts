import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time after which other work of the event loop gets a turn. */
const maxSliceMs = 2;
/** Items between two checks of the clock. */
const itemsPerCheck = 32;
/** Items that take a few milliseconds if each takes some microseconds. */
const maxPartSize = 500;

const clock = (): number => performance.now();

/** Runs `work` for each item in order, in slices of a few milliseconds, so that long lists do not delay others. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  now = clock,
): Promise<void> {
  let startedAt = now();
  let count = 0;
  for (const item of items) {
    work(item);
    count += 1;
    if (count % itemsPerCheck !== 0 || now() - startedAt < maxSliceMs) continue;
    await nextTurn();
    startedAt = now();
  }
}

/** Yields the parts of a list in order, each in a turn of its own, for work that takes many items at once. */
export async function* inParts<Item>(items: readonly Item[], size = maxPartSize): AsyncIterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await nextTurn();
    yield items.slice(start, start + size);
  }
}
