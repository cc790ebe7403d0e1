import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time after which other work of the event loop gets a turn. */
const maxSliceMs = 4;
/** Items between two checks of the clock. */
const itemsPerCheck = 32;

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

/** Returns the items that match, in order. Works like `forEachInSlices`. */
export async function filterInSlices<Item>(items: readonly Item[], matches: (item: Item) => boolean): Promise<Item[]> {
  const found: Item[] = [];
  await forEachInSlices(items, (item) => {
    if (matches(item)) found.push(item);
  });
  return found;
}
