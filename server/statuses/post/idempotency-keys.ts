import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import { keyLifetimeMs } from './key-lifetime.ts';

const statusByKey = preparedQuery<{ status_id: StatusId }>()(
  (db, args: { accountId: AccountId; key: string; now: Date }) =>
    db
      .selectFrom('idempotency_keys')
      .select('status_id')
      .where('account_id', '=', args.accountId)
      .where('key', '=', args.key)
      .where('expires_at', '>', args.now),
);

/** Returns the status that a request with this key created while the key is kept (`keyLifetimeMs`). */
export async function findStatusByIdempotencyKey(
  app: App,
  accountId: AccountId,
  key: string,
): Promise<StatusId | undefined> {
  return (await statusByKey(app, { accountId, key, now: app.clock.now() }))[0]?.status_id;
}

/** A request with its key and the id of the status to create. */
export interface KeyedRequest {
  readonly accountId: AccountId;
  readonly key: string;
  readonly statusId: StatusId;
}

/**
 * Claims the keys of several requests in one statement. Returns the status of each key: `statusId`, or that of an earlier
 * or parallel request with the same key.
 */
export async function claimIdempotencyKeys(
  { db }: Transaction,
  app: App,
  requests: readonly KeyedRequest[],
): Promise<StatusId[]> {
  if (requests.length === 0) return [];
  const firstByKey = new Map<string, KeyedRequest>();
  for (const request of requests)
    if (!firstByKey.has(requestKey(request))) firstByKey.set(requestKey(request), request);
  const sorted = [...firstByKey.values()].toSorted((a, b) => (requestKey(a) < requestKey(b) ? -1 : 1));
  const accountIds = sorted.map(({ accountId }) => accountId);
  const keys = sorted.map(({ key }) => key);
  const now = app.clock.now();
  const expiries = keys.map((key) => new Date(now.getTime() + keyLifetimeMs(key)));
  const { rows: taken } = await sql<KeyRow>`
    insert into idempotency_keys as taken (account_id, key, status_id, expires_at)
    select *
    from unnest(${accountIds}::bigint[], ${keys}::text[], ${sorted.map(({ statusId }) => statusId)}::bigint[],
      ${expiries}::timestamptz[])
    on conflict (account_id, key) do update
      set status_id = excluded.status_id, thread_ids = null, expires_at = excluded.expires_at
      where taken.expires_at <= ${now}
    returning account_id, key, status_id`.execute(db);
  const holders = taken.length === sorted.length ? taken : [...(await loadKeys(db, accountIds, keys))];
  const statusIdByKey = new Map(
    holders.map((row) => [requestKey({ accountId: row.account_id, key: row.key }), row.status_id]),
  );
  return requests.map((request) => statusIdByKey.get(requestKey(request)) ?? request.statusId);
}

/** Like `findStatusByIdempotencyKey` for a thread: returns all its posts, in order. */
export async function findThreadByIdempotencyKey(
  app: App,
  accountId: AccountId,
  key: string,
): Promise<readonly StatusId[] | undefined> {
  const row = await threadByKeyQuery(app.db, accountId, key)
    .where('expires_at', '>', app.clock.now())
    .executeTakeFirst();
  return row && threadOf(row);
}

/**
 * Claims the key of a thread with the posts `statusIds`. Returns them, or the posts that an earlier or parallel request
 * created with the key.
 */
export async function claimThreadKey(
  tx: Transaction,
  app: App,
  { accountId, key, statusIds }: { accountId: AccountId; key: string; statusIds: readonly [StatusId, ...StatusId[]] },
): Promise<readonly StatusId[]> {
  const [statusId] = statusIds;
  const [holder] = await claimIdempotencyKeys(tx, app, [{ accountId, key, statusId }]);
  if (holder !== statusId) return threadOf(await threadByKeyQuery(tx.db, accountId, key).executeTakeFirstOrThrow());
  await writable(tx.db)
    .updateTable('idempotency_keys')
    .set({ thread_ids: [...statusIds] })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute();
  return statusIds;
}

const threadByKeyQuery = (db: App['db'], accountId: AccountId, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['status_id', 'thread_ids'])
    .where('account_id', '=', accountId)
    .where('key', '=', key);

const threadOf = (row: { readonly status_id: StatusId; readonly thread_ids: readonly StatusId[] | null }) =>
  row.thread_ids ?? [row.status_id];

interface KeyRow {
  readonly account_id: AccountId;
  readonly key: string;
  readonly status_id: StatusId;
}

// A separate statement, because one that waited for another request does not see the rows of that request.
async function loadKeys(db: Transaction['db'], accountIds: readonly AccountId[], keys: readonly string[]) {
  const { rows } = await sql<KeyRow>`
    select account_id, key, status_id
    from unnest(${accountIds}::bigint[], ${keys}::text[]) as request(account_id, key)
      join idempotency_keys using (account_id, key)`.execute(db);
  return rows;
}

const requestKey = ({ accountId, key }: Pick<KeyedRequest, 'accountId' | 'key'>): string => `${accountId} ${key}`;
