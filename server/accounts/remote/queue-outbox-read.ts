import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  countResults,
  findRefresh,
  finishRefresh,
  refreshHeader,
  startRefresh,
  type RefreshKey,
} from '../../refreshes/index.ts';
import { loadCachedAccounts } from '../present/account-cache.ts';
import { outboxReadRequested } from './outbox-read-requested.ts';

/** Time between two reads of the newest posts of an account. */
const readIntervalMs = 3_600_000;
/** Reads of older posts within that time, for all viewers together. */
const maxOlderReads = 24;
/** Seconds after which clients ask for the progress. */
const retrySeconds = 2;

/** Where reading of an outbox goes on. */
export interface OutboxPlace {
  readonly page: string;
  /** Number of items of the page that were read. */
  readonly offset: number;
}

/** How far the outbox of a remote account was read. */
export interface OutboxRead {
  readonly startedAt: Date;
  /** Undefined at the end of the outbox. */
  readonly next: OutboxPlace | undefined;
  /** Times of the newest and the oldest post that were read. There is no gap between them. */
  readonly newestAt: Date | undefined;
  readonly reachedAt: Date | undefined;
}

interface Row {
  readonly started_at: Date;
  readonly next_page: string | null;
  readonly next_offset: number;
  readonly newest_at: Date | null;
  readonly reached_at: Date | null;
}

const outboxReadRows = batchedQuery<Row>()<{ readonly accountId: AccountId }>(
  { accountId: 'bigint' },
  ({ accountId }) => sql`
    select started_at, next_page, next_offset, newest_at, reached_at from outbox_reads where account_id = ${accountId}`,
);

/** Returns how far the outbox of an account was read; undefined if it never was. */
export async function findOutboxRead(app: App, accountId: AccountId): Promise<OutboxRead | undefined> {
  const [row] = await outboxReadRows(app, { accountId });
  if (row === undefined) return undefined;
  const { next_page: page, next_offset: offset } = row;
  return {
    startedAt: row.started_at,
    next: page === null ? undefined : { page, offset },
    newestAt: row.newest_at ?? undefined,
    reachedAt: row.reached_at ?? undefined,
  };
}

const outboxRefreshKey = (accountId: AccountId): RefreshKey => `outbox:${accountId}`;

/**
 * Queues a read of the outbox of a remote account that a user views or follows: of its newest posts once an hour, or of
 * older ones if the user reached the oldest that was read. `shownTo`: time of the oldest post that the user sees;
 * `end` if there is none below. Returns the header by which clients follow a running read, else none.
 */
export async function queueOutboxRead(
  app: App,
  accountId: AccountId,
  shownTo?: Date | 'end',
): Promise<Record<string, string>> {
  const account = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (account === undefined || account.domain === null || account.suspended || !app.config.READ_OUTBOXES) return {};
  const key = outboxRefreshKey(accountId);
  const [refresh, read] = await Promise.all([findRefresh(app, key), findOutboxRead(app, accountId)]);
  if (refresh?.isRunning === true) return refreshHeader(app, key, { retrySeconds, resultCount: refresh.resultCount });
  const isDue = read === undefined || app.clock.now().getTime() - read.startedAt.getTime() >= readIntervalMs;
  if (!isDue && !isAtEnd(read, shownTo)) return {};
  const isStarted = await transaction(app, async (tx) => {
    const isRecorded = await (isDue ? recordRead(tx, app, accountId) : recordOlderRead(tx, accountId));
    if (!isRecorded || !(await startRefresh(tx, app, key, { countsResults: true }))) return false;
    tx.emit(outboxReadRequested({ accountId, older: !isDue }));
    return true;
  });
  return isStarted ? refreshHeader(app, key, { retrySeconds, resultCount: 0 }) : {};
}

/** Whether a user sees all posts that were read, and the outbox has more. */
function isAtEnd({ next, reachedAt }: OutboxRead, shownTo: Date | 'end' | undefined): boolean {
  if (next === undefined || shownTo === undefined) return false;
  return shownTo === 'end' || (reachedAt !== undefined && shownTo <= reachedAt);
}

/** Returns false if another request recorded a read meanwhile. */
async function recordRead({ db }: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const now = app.clock.now();
  const { rows } = await sql`
    insert into outbox_reads as stored (account_id, started_at) values (${accountId}::bigint, ${now}::timestamptz)
    on conflict (account_id) do update set started_at = excluded.started_at, older_reads = 0
    where stored.started_at <= ${new Date(now.getTime() - readIntervalMs)}::timestamptz
    returning account_id`.execute(db);
  return rows.length > 0;
}

async function recordOlderRead({ db }: Transaction, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    update outbox_reads set older_reads = older_reads + 1
    where account_id = ${accountId}::bigint and next_page is not null and older_reads < ${maxOlderReads}
    returning account_id`.execute(db);
  return rows.length > 0;
}

/** Whether a queued read of an outbox is not finished. */
export async function isOutboxReadRunning(app: App, accountId: AccountId): Promise<boolean> {
  return (await findRefresh(app, outboxRefreshKey(accountId)))?.isRunning === true;
}

/** Finishes a read of an outbox that stored `count` posts. `read`: how far it was read; undefined: no further. */
export async function finishOutboxRead(
  app: App,
  accountId: AccountId,
  { count, read }: { readonly count: number; readonly read?: Omit<OutboxRead, 'startedAt'> | undefined },
): Promise<void> {
  const key = outboxRefreshKey(accountId);
  await transaction(app, async (tx) => {
    if (read !== undefined) {
      const { next, newestAt, reachedAt } = read;
      await sql`
        update outbox_reads set next_page = ${next?.page ?? null}::text, next_offset = ${next?.offset ?? 0}::int,
          newest_at = ${newestAt ?? null}::timestamptz, reached_at = ${reachedAt ?? null}::timestamptz
        where account_id = ${accountId}::bigint`.execute(tx.db);
    }
    await countResults(tx, key, count);
    await finishRefresh(tx, app, key);
  });
}

/** Has the outboxes of these accounts read from their beginning when they are viewed next: posts of them were removed. */
export async function forgetOutboxReads({ db }: Transaction, accountIds: readonly AccountId[]): Promise<void> {
  await sql`delete from outbox_reads where account_id = any(${accountIds}::bigint[])`.execute(db);
}
