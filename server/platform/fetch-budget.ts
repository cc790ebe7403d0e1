import type { Schedule } from './jobs/schedule.ts';
import { sql } from 'kysely';
import { perApp, rootOf, type App } from './app.ts';
import { writeStatement } from './database/write-statement.ts';
import type { Write } from './database/write.ts';
import { newId, type FetchBudgetId } from './ids.ts';
import { OutgoingError } from './outgoing-error.ts';
import { defaultTimeoutMs, type OutgoingRequest, type OutgoingResponse } from './outgoing.ts';

/** What one budget allows: requests to other hosts, and the time during which at least one of them is under way. */
export const fetchBudgetLimits = { requests: 30, milliseconds: 30_000 } as const;

/** Longer than any work that shares a budget is retried. */
const keptDays = 14;

/** The requests of one budget that are under way in this process. */
interface UnderWay {
  count: number;
  since: number;
}

const underWay = perApp(() => new Map<FetchBudgetId, UnderWay>());

/**
 * Limits the requests to other hosts that are made on behalf of one cause, such as a received activity. Use it through
 * `withFetchBudget`. Nothing is stored until `store` is called, so that requests that are refused leave no row behind.
 */
export class FetchBudget {
  readonly #app: App;
  readonly #id: FetchBudgetId;
  /** What was used before the budget was stored. */
  #unstored: { requests: number; milliseconds: number } | undefined;

  /** Without `id` a new budget starts; with one, the stored budget of that id goes on. */
  constructor(app: App, id?: FetchBudgetId) {
    this.#app = rootOf(app);
    this.#id = id ?? newId(app.clock.now());
    this.#unstored = id === undefined ? { requests: 0, milliseconds: 0 } : undefined;
  }

  /** Stores what was used so far, in the transaction if there is one. Returns the id under which jobs share the budget. */
  async store(db?: Write['db']): Promise<FetchBudgetId> {
    const used = this.#unstored;
    this.#unstored = undefined;
    if (used !== undefined && used.requests > 0) {
      const query = sql<object>`
        insert into fetch_budgets (id, requests, milliseconds, started_at)
        values (${this.#id}, ${used.requests}, ${used.milliseconds}, ${this.#app.clock.now()})
        on conflict (id) do update set requests = fetch_budgets.requests + excluded.requests,
          milliseconds = fetch_budgets.milliseconds + excluded.milliseconds`;
      await (db === undefined ? writeStatement(this.#app, query) : query.execute(db));
    }
    return this.#id;
  }

  /**
   * Sends a request if the budget allows one more; each redirect counts as another. Throws an OutgoingError with the reason
   * `over-budget` otherwise.
   */
  async spend(
    url: string,
    request: OutgoingRequest,
    send: (url: string, request: OutgoingRequest) => Promise<OutgoingResponse>,
  ): Promise<OutgoingResponse> {
    const leftMs = await this.#begin(url);
    const wanted = request.timeout ?? defaultTimeoutMs;
    const onRedirect = async (): Promise<void> => {
      if ((await this.#count(0)) === undefined) throw overBudget(url);
    };
    try {
      return await send(url, { ...request, timeout: Math.min(wanted, leftMs), onRedirect });
    } catch (error) {
      // The host may be fine: it was cut off because of what others used up.
      if (error instanceof OutgoingError && error.reason === 'timeout' && leftMs < wanted) throw overBudget(url);
      throw error;
    } finally {
      await this.#end();
    }
  }

  /** Counts one request and returns the milliseconds that it may take. */
  async #begin(url: string): Promise<number> {
    const running = underWay(this.#app).get(this.#id);
    const now = this.#now();
    const runningMs = running === undefined ? 0 : Math.max(0, now - running.since);
    const usedMs = await this.#count(runningMs);
    if (usedMs === undefined) throw overBudget(url);
    const active = underWay(this.#app).get(this.#id);
    if (active === undefined) underWay(this.#app).set(this.#id, { count: 1, since: now });
    else active.count += 1;
    return fetchBudgetLimits.milliseconds - usedMs - runningMs;
  }

  /** The milliseconds used before this request; undefined if the budget does not allow it. */
  async #count(runningMs: number): Promise<number | undefined> {
    const most = fetchBudgetLimits;
    if (this.#unstored !== undefined) {
      if (this.#unstored.requests >= most.requests) return undefined;
      if (this.#unstored.milliseconds + runningMs >= most.milliseconds) return undefined;
      this.#unstored.requests += 1;
      return this.#unstored.milliseconds;
    }
    const { rows } = await writeStatement(
      this.#app,
      sql<{ milliseconds: number }>`
      insert into fetch_budgets (id, requests, started_at) values (${this.#id}, 1, ${this.#app.clock.now()})
      on conflict (id) do update set requests = fetch_budgets.requests + 1
      where fetch_budgets.requests < ${most.requests} and fetch_budgets.milliseconds + ${runningMs} < ${most.milliseconds}
      returning milliseconds`,
    );
    return rows[0]?.milliseconds;
  }

  async #end(): Promise<void> {
    const active = underWay(this.#app).get(this.#id);
    if (active === undefined) return;
    active.count -= 1;
    if (active.count > 0) return;
    underWay(this.#app).delete(this.#id);
    const elapsed = Math.max(0, Math.ceil(this.#now() - active.since));
    if (this.#unstored !== undefined) this.#unstored.milliseconds += elapsed;
    else if (elapsed > 0) {
      await writeStatement(
        this.#app,
        sql`update fetch_budgets set milliseconds = milliseconds + ${elapsed} where id = ${this.#id}`,
      );
    }
  }

  #now(): number {
    return this.#app.clock.now().getTime();
  }
}

/**
 * Returns an App whose requests to other hosts draw on `budget`, and whose stored jobs carry it on. An App that has a
 * budget already keeps it.
 */
export function withFetchBudget(app: App, budget: FetchBudget): App {
  if (app.fetchBudget !== undefined) return app;
  const root = rootOf(app);
  const { outgoing } = root;
  return {
    ...root,
    root,
    fetchBudget: budget,
    outgoing: {
      request: (url, request = {}) => budget.spend(url, request, (to, how) => outgoing.request(to, how)),
      close: () => outgoing.close(),
    },
  };
}

/** Deletes budgets that no work shares any more. */
export const deleteOldFetchBudgets: Schedule = {
  name: 'delete-old-fetch-budgets',
  pattern: '27 4 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - keptDays * 86_400_000);
    await writeStatement(app, sql`delete from fetch_budgets where started_at < ${before}`);
  },
};

function overBudget(url: string): OutgoingError {
  return new OutgoingError('over-budget', `${url}: the activity that asks for it has used up its requests`);
}
