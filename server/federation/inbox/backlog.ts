import { sql } from 'kysely';
import { perApp, type App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';

/** Activities that may wait to be processed: several minutes of work for the whole server. */
export const backlogLimits = { all: 20_000, ofSigner: 1_000 };
const countTtlMs = 5_000;
const retryAfterHeader = { 'retry-after': '60' };

/** How many activities wait: counted every few seconds, plus what this process accepted since. */
class Backlog {
  readonly #app: App;
  #bySigner = new Map<string, number>();
  #all = 0;
  #countedAt = -Infinity;
  #counting: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  async all(): Promise<number> {
    if (Math.abs(this.#app.clock.now().getTime() - this.#countedAt) >= countTtlMs) {
      await (this.#counting ??= this.#count().finally(() => (this.#counting = undefined)));
    }
    return this.#all;
  }

  ofSigner(uri: string): number {
    return this.#bySigner.get(uri) ?? 0;
  }

  add(signerUri: string): void {
    this.#all += 1;
    this.#bySigner.set(signerUri, this.ofSigner(signerUri) + 1);
  }

  async #count(): Promise<void> {
    const { rows } = await sql<{ uri: string; count: number }>`
      select signer_uri as uri, count(*)::int as count from inbox_activities
      where exhausted_at is null group by signer_uri`.execute(this.#app.db);
    this.#bySigner = new Map(rows.map(({ uri, count }) => [uri, count]));
    this.#all = rows.reduce((sum, { count }) => sum + count, 0);
    this.#countedAt = this.#app.clock.now().getTime();
  }
}

const backlogs = perApp((app) => new Backlog(app));

/** Throws 503 when so many activities wait that a new one would have to wait for minutes. */
export async function assertBacklogRoom(app: App): Promise<void> {
  if ((await backlogs(app).all()) < backlogLimits.all) return;
  throw new HttpError(503, 'Too many activities are waiting', undefined, retryAfterHeader);
}

/** Throws 429 when too many activities of one signer wait: they are processed one after the other. */
export function assertSignerBacklogRoom(app: App, signerUri: string): void {
  if (backlogs(app).ofSigner(signerUri) < backlogLimits.ofSigner) return;
  throw new HttpError(429, 'Too many activities of this sender are waiting', undefined, retryAfterHeader);
}

/** Counts an activity that was accepted. */
export function countAccepted(app: App, signerUri: string): void {
  backlogs(app).add(signerUri);
}
