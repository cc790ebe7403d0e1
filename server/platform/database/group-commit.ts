import { sql } from 'kysely';
import { perApp, type App } from '../app.ts';
import { isLockTimeout, firstLockTimeoutMs, retryLanes } from './retry-lanes.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { transaction, type Transaction } from './transaction.ts';

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer ones would make the first wait for the last. */
const maxGroupSize = 64;

/**
 * Declares a short write that comes in crowds, such as a favourite: those asked for while another one is under way are
 * done by one transaction, in a few statements for all of them. `run` gets the items in the order in which they came and
 * gives one result for each; rows that many want it must lock in the order of their ids. When it throws for several, or
 * needs a row that another transaction holds, nothing of it is done and each is tried in a transaction of its own, so
 * that nobody gets the error of another or waits for another's row.
 */
export function groupCommit<Item, Result>(
  run: (tx: Transaction, app: App, items: readonly Item[]) => Promise<readonly Result[]>,
): (app: App, item: Item) => Promise<Result> {
  const groupOf = perApp((app) => new CommitGroup<Item, Result>(app, run));
  return (app, item) => groupOf(app).add(item);
}

class CommitGroup<Item, Result> {
  readonly #app: App;
  readonly #run: (tx: Transaction, app: App, items: readonly Item[]) => Promise<readonly Result[]>;
  #pending: PendingItem<Item, Result>[] = [];
  #isBusy = false;

  constructor(app: App, run: (tx: Transaction, app: App, items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#app = app;
    this.#run = run;
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending.push({ item, resolve, reject });
    if (!this.#isBusy) {
      this.#isBusy = true;
      // Requests that came in one packet are still to be read.
      setImmediate(() => void this.#drain());
    }
    return promise;
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) await this.#commit(this.#pending.splice(0, maxGroupSize));
    this.#isBusy = false;
  }

  async #commit(group: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      await this.#runTransaction(group, firstLockTimeoutMs);
    } catch (error) {
      const isPermanent = error instanceof DatabaseUnavailable && !isLockTimeout(error);
      if (isPermanent || (group.length === 1 && !isLockTimeout(error))) for (const { reject } of group) reject(error);
      else for (const each of group) this.#commitAlone(each);
    }
  }

  /** Not waited for: what comes next need not wait for a row that only this one wants. */
  #commitAlone(each: PendingItem<Item, Result>): void {
    retryLanes(this.#app).add({ run: (lockMs) => this.#runTransaction([each], lockMs), reject: each.reject });
  }

  async #runTransaction(group: readonly PendingItem<Item, Result>[], lockMs: number): Promise<void> {
    const items = group.map(({ item }) => item);
    const results = await transaction(this.#app, async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx.db);
      return this.#run(tx, this.#app, items);
    });
    for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result);
  }
}
