import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { writable, type RefreshKey } from './tables.ts';

/** Lifetimes (reference/limits.tsv, "async refresh kept"). */
const runningLifetimeMs = 86_400_000;
const finishedLifetimeMs = 3_600_000;

interface StartOptions {
  /** Whether `countResults` will be called. */
  readonly countsResults?: boolean;
  /** Minimum time between two starts. */
  readonly minIntervalMs?: number;
}

/**
 * Starts a refresh. Returns false, and changes nothing, if it is running or was started less than `minIntervalMs` ago. Call
 * it in the transaction that stores the job which does the work.
 */
export async function startRefresh(
  { db }: Transaction,
  app: App,
  key: RefreshKey,
  { countsResults = false, minIntervalMs = 0 }: StartOptions = {},
): Promise<boolean> {
  const now = app.clock.now();
  const notAfter = new Date(now.getTime() - minIntervalMs);
  const expiresAt = new Date(now.getTime() + runningLifetimeMs);
  const { rows } = await sql`
    insert into async_refreshes as stored (key, result_count, started_at, expires_at)
    values (${key}, ${countsResults ? 0 : null}::int, ${now}::timestamptz, ${expiresAt}::timestamptz)
    on conflict (key) do update set result_count = excluded.result_count, started_at = excluded.started_at,
      finished_at = null, expires_at = excluded.expires_at
    where stored.expires_at <= ${now}::timestamptz
      or (stored.finished_at is not null and stored.started_at <= ${notAfter}::timestamptz)
    returning key`.execute(db);
  return rows.length > 0;
}

/** Adds results to a running refresh that counts them. */
export async function countResults({ db }: Transaction, key: RefreshKey, count: number): Promise<void> {
  if (count === 0) return;
  await sql`
    update async_refreshes set result_count = result_count + ${count}::int
    where key = ${key} and finished_at is null`.execute(db);
}

/** Finishes a refresh. No-op if it is not running. */
export async function finishRefresh({ db }: Transaction, app: App, key: RefreshKey): Promise<void> {
  const now = app.clock.now();
  await writable(db)
    .updateTable('async_refreshes')
    .set({ finished_at: now, expires_at: new Date(now.getTime() + finishedLifetimeMs) })
    .where('key', '=', key)
    .where('finished_at', 'is', null)
    .execute();
}
