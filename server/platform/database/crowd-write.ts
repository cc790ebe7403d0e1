import { sql } from 'kysely';
import { perApp, type App } from '../app.ts';
import { isLockTimeout, quickLockMs, retryLanes } from './retry-lanes.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { write, type Write } from './write.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer ones would make the first wait for the last. */
const mostTogether = 64;

/**
 * Declares a short write that comes in crowds, such as a favourite: those asked for while another one is under way are
 * done by one transaction, in a few statements for all of them. `run` gets the items in the order in which they came and
 * gives one result for each; rows that many want it must lock in the order of their ids. When it throws for several, or
 * needs a row that another transaction holds, nothing of it is done and each is tried in a transaction of its own, so
 * that nobody gets the error of another or waits for another's row.
 */
export function defineCrowdWrite<Item, Result>(
  run: (write: Write, app: App, items: readonly Item[]) => Promise<readonly Result[]>,
): (app: App, item: Item) => Promise<Result> {
  const crowdOf = perApp((app) => new Crowd<Item, Result>(app, run));
  return (app, item) => crowdOf(app).add(item);
}

class Crowd<Item, Result> {
  readonly #app: App;
  readonly #run: (write: Write, app: App, items: readonly Item[]) => Promise<readonly Result[]>;
  #waiting: Waiting<Item, Result>[] = [];
  #isBusy = false;

  constructor(app: App, run: (write: Write, app: App, items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#app = app;
    this.#run = run;
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#isBusy) {
      this.#isBusy = true;
      // Requests that came in one packet are still to be read.
      setImmediate(() => void this.#work());
    }
    return promise;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, mostTogether));
    this.#isBusy = false;
  }

  async #commit(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      await this.#attempt(group, quickLockMs);
    } catch (error) {
      const hopeless = error instanceof DatabaseUnavailable && !isLockTimeout(error);
      if (hopeless || (group.length === 1 && !isLockTimeout(error))) for (const { reject } of group) reject(error);
      else for (const each of group) this.#commitAlone(each);
    }
  }

  /** Not waited for: what comes next need not wait for a row that only this one wants. */
  #commitAlone(each: Waiting<Item, Result>): void {
    retryLanes(this.#app).add({ attempt: (lockMs) => this.#attempt([each], lockMs), fail: each.reject });
  }

  async #attempt(group: readonly Waiting<Item, Result>[], lockMs: number): Promise<void> {
    const items = group.map(({ item }) => item);
    const results = await write(this.#app, async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(transaction.db);
      return this.#run(transaction, this.#app, items);
    });
    for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result);
  }
}
