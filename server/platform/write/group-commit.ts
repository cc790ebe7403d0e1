import { perApp, type App } from '../app.ts';
import { Batcher, type BatchEntry, type BatcherOptions, type WaitingLimit } from '../batching/batcher.ts';
import { isLockTimeout, firstLockTimeoutMs, retryLanes } from './retry-lanes.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';
import { transaction, type Transaction } from './transaction.ts';

type RunGroup<Item, Result> = (tx: Transaction, app: App, items: readonly Item[]) => Promise<readonly Result[]>;

type GroupOptions<Item> = Partial<
  Pick<BatcherOptions<Item, unknown>, 'maxBatchSize' | 'waitingLimit' | 'canShareBatch'>
> & {
  /** Whether groups that follow each other closely wait for the callers who were just answered (`lingerMs`). */
  readonly lingers?: boolean;
  /** As that of `transaction`. */
  readonly withIndexes?: boolean;
};

/** A larger group would make its first item wait for its last. */
const defaultGroupSize = 64;

/** About the time in which clients that were answered together send their next requests. */
const lingerMs = 6;

/** Items wait for a transaction that is slow or has lost its connection. What has not started by then never does. */
const defaultWaitingLimit: WaitingLimit = {
  maxItems: Infinity,
  maxWaitMs: 20_000,
  createError: () => new DatabaseUnavailable(new Error('a write waited too long for the one before it')),
};

/**
 * Declares a short write that many requests make at once, such as a favourite: items that arrive while a transaction is
 * open share the next one, in a few statements for all of them. `run` receives the items in order of arrival and returns
 * one result each; it locks contended rows in the order of their ids. If it throws, or waits too long for a lock, the
 * transaction is rolled back and each item is retried in a transaction of its own (`retry-lanes.ts`).
 */
export function groupCommit<Item, Result>(
  run: RunGroup<Item, Result>,
  {
    maxBatchSize = defaultGroupSize,
    waitingLimit,
    canShareBatch,
    lingers = false,
    withIndexes = false,
  }: GroupOptions<Item> = {},
): (app: App, item: Item) => Promise<Result> {
  const batcherOf = perApp(
    (app) =>
      new Batcher<Item, Result>({
        maxBatchSize,
        waitingLimit: { ...defaultWaitingLimit, ...waitingLimit },
        canShareBatch,
        ...(lingers && { lingerMs }),
        isSequential: true,
        run: (group) =>
          commitGroup(app, group, async (entries, lockTimeoutMs) => {
            const items = entries.map(({ item }) => item);
            const results = await transaction(app, (tx) => run(tx, app, items), { lockTimeoutMs, withIndexes });
            for (const [index, { resolve }] of entries.entries()) resolve(results[index] as Result);
          }),
      }),
  );
  return (app, item) => batcherOf(app).add(item);
}

type Group<Item, Result> = readonly BatchEntry<Item, Result>[];

async function commitGroup<Item, Result>(
  app: App,
  group: Group<Item, Result>,
  commit: (group: Group<Item, Result>, lockTimeoutMs: number) => Promise<void>,
): Promise<void> {
  try {
    await commit(group, firstLockTimeoutMs);
  } catch (error) {
    const isPermanent = error instanceof DatabaseUnavailable && !isLockTimeout(error);
    if (isPermanent || (group.length === 1 && !isLockTimeout(error))) {
      for (const { reject } of group) reject(error);
      return;
    }
    // Not awaited: the next group need not wait for a row that only one of these items locks.
    for (const entry of group)
      retryLanes(app).add({ run: (lockTimeoutMs) => commit([entry], lockTimeoutMs), reject: entry.reject });
  }
}
