import type { Schedule } from '../work/run-schedules.ts';
import { sql, type QueryExecutorProvider } from 'kysely';
import { perApp, rootApp, type App } from '../app.ts';
import { writeStatement } from '../write/write-statement.ts';
import { newId, type FetchBudgetId } from '../ids.ts';
import { OutgoingError } from './outgoing-error.ts';
import { defaultTimeoutMs } from './http-client.ts';
import type { FetchBudget, OutgoingRequest, OutgoingResponse } from './outgoing.ts';

/** Limits of one budget: requests to other hosts, and the time during which at least one of them is in flight. */
export const fetchBudgetLimits = { requests: 30, milliseconds: 30_000 } as const;

/** Longer than work that shares a budget is retried. */
const retentionDays = 14;

/** The requests of one budget that are in flight in this process. */
interface ActiveRequests {
  count: number;
  since: number;
}

const activeRequests = perApp(() => new Map<FetchBudgetId, ActiveRequests>());

/**
 * Limits the requests to other hosts on behalf of one cause, such as a received activity. Use it through
 * `withFetchBudget`. Nothing is stored before `store` is called, so refused requests leave no row.
 */
export class StoredFetchBudget implements FetchBudget {
  readonly #app: App;
  readonly #id: FetchBudgetId;
  /** Usage before the budget was stored. */
  #unstored: { requests: number; milliseconds: number } | undefined;

  /** Without `id` a new budget starts; with one, the stored budget continues. */
  constructor(app: App, id?: FetchBudgetId) {
    this.#app = rootApp(app);
    this.#id = id ?? newId(app.clock.now());
    this.#unstored = id === undefined ? { requests: 0, milliseconds: 0 } : undefined;
  }

  /** Stores the usage so far, in the transaction if there is one. Returns the id under which jobs share the budget. */
  async store(db?: QueryExecutorProvider): Promise<FetchBudgetId> {
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
   * Sends a request if the budget allows one more; each redirect counts as another. Otherwise throws an OutgoingError
   * with the reason `over-budget`.
   */
  async spend(
    url: string,
    request: OutgoingRequest,
    send: (url: string, request: OutgoingRequest) => Promise<OutgoingResponse>,
  ): Promise<OutgoingResponse> {
    const leftMs = await this.#startRequest(url);
    const requestedMs = request.timeoutMs ?? defaultTimeoutMs;
    const onRedirect = async (target: string): Promise<void> => {
      if ((await this.#countRequest(0)) === undefined) throw overBudgetError(url);
      await request.onRedirect?.(target);
    };
    try {
      return await send(url, { ...request, timeoutMs: Math.min(requestedMs, leftMs), onRedirect });
    } catch (error) {
      // The host may be fine: earlier requests used up the budget.
      if (error instanceof OutgoingError && error.reason === 'timeout' && leftMs < requestedMs)
        throw overBudgetError(url);
      throw error;
    } finally {
      await this.#finishRequest();
    }
  }

  /** Counts one request and returns the milliseconds that it may take. */
  async #startRequest(url: string): Promise<number> {
    const running = activeRequests(this.#app).get(this.#id);
    const now = this.#now();
    const runningMs = running === undefined ? 0 : Math.max(0, now - running.since);
    const usedMs = await this.#countRequest(runningMs);
    if (usedMs === undefined) throw overBudgetError(url);
    const active = activeRequests(this.#app).get(this.#id);
    if (active === undefined) activeRequests(this.#app).set(this.#id, { count: 1, since: now });
    else active.count += 1;
    return fetchBudgetLimits.milliseconds - usedMs - runningMs;
  }

  /** The milliseconds used before this request; undefined if the budget does not allow it. */
  async #countRequest(runningMs: number): Promise<number | undefined> {
    const limits = fetchBudgetLimits;
    if (this.#unstored !== undefined) {
      if (this.#unstored.requests >= limits.requests) return undefined;
      if (this.#unstored.milliseconds + runningMs >= limits.milliseconds) return undefined;
      this.#unstored.requests += 1;
      return this.#unstored.milliseconds;
    }
    const { rows } = await writeStatement(
      this.#app,
      sql<{ milliseconds: number }>`
      insert into fetch_budgets (id, requests, started_at) values (${this.#id}, 1, ${this.#app.clock.now()})
      on conflict (id) do update set requests = fetch_budgets.requests + 1
      where fetch_budgets.requests < ${limits.requests} and fetch_budgets.milliseconds + ${runningMs} < ${limits.milliseconds}
      returning milliseconds`,
    );
    return rows[0]?.milliseconds;
  }

  async #finishRequest(): Promise<void> {
    const active = activeRequests(this.#app).get(this.#id);
    if (active === undefined) return;
    active.count -= 1;
    if (active.count > 0) return;
    activeRequests(this.#app).delete(this.#id);
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
 * Returns an App whose requests to other hosts, and those of the jobs that it stores, draw on `budget`. An App that
 * already has a budget keeps it.
 */
export function withFetchBudget(app: App, budget: StoredFetchBudget): App {
  if (app.fetchBudget !== undefined) return app;
  const root = rootApp(app);
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

/** Deletes budgets that are too old to be in use. */
export const deleteOldFetchBudgets: Schedule = {
  name: 'platform.delete_fetch_budgets',
  pattern: '27 4 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
    await writeStatement(app, sql`delete from fetch_budgets where started_at < ${before}`);
  },
};

function overBudgetError(url: string): OutgoingError {
  return new OutgoingError('over-budget', `${url}: the activity that asks for it has used up its requests`);
}
