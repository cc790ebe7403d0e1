import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';

/** How long a key is remembered (STA-10). */
const keyLifetimeMs = 3600_000;

const statusByKey = preparedQuery<{ status_id: StatusId }>()(
  (db, args: { accountId: AccountId; key: string; since: Date }) =>
    db
      .selectFrom('idempotency_keys')
      .select('status_id')
      .where('account_id', '=', args.accountId)
      .where('key', '=', args.key)
      .where('created_at', '>', args.since),
);

/** The status that a request with this key made within the last hour. */
export async function findStatusByIdempotencyKey(
  app: App,
  accountId: AccountId,
  key: string,
): Promise<StatusId | undefined> {
  const since = new Date(app.clock.now().getTime() - keyLifetimeMs);
  return (await statusByKey(app, { accountId, key, since }))[0]?.status_id;
}

/** A request with its key, and the status that it is to make. */
export interface KeyedRequest {
  readonly accountId: AccountId;
  readonly key: string;
  readonly statusId: StatusId;
}

/**
 * Takes the keys, of several requests in one statement, and gives for each the status that it stands for: `statusId`, or
 * that of another request which took the key first, also one that is under way at this moment.
 */
export async function claimIdempotencyKeys(
  { db }: Transaction,
  app: App,
  requests: readonly KeyedRequest[],
): Promise<StatusId[]> {
  if (requests.length === 0) return [];
  const first = new Map<string, KeyedRequest>();
  for (const request of requests) if (!first.has(requestKey(request))) first.set(requestKey(request), request);
  const wanted = [...first.values()].toSorted((a, b) => (requestKey(a) < requestKey(b) ? -1 : 1));
  const accountIds = wanted.map(({ accountId }) => accountId);
  const keys = wanted.map(({ key }) => key);
  const now = app.clock.now();
  const { rows: taken } = await sql<KeyRow>`
    insert into idempotency_keys as taken (account_id, key, status_id, created_at)
    select *, ${now}::timestamptz
    from unnest(${accountIds}::bigint[], ${keys}::text[], ${wanted.map(({ statusId }) => statusId)}::bigint[])
    on conflict (account_id, key) do update set status_id = excluded.status_id, created_at = excluded.created_at
      where taken.created_at <= ${new Date(now.getTime() - keyLifetimeMs)}
    returning account_id, key, status_id`.execute(db);
  const holders = taken.length === wanted.length ? taken : [...(await loadKeys(db, accountIds, keys))];
  const byName = new Map(
    holders.map((row) => [requestKey({ accountId: row.account_id, key: row.key }), row.status_id]),
  );
  return requests.map((request) => byName.get(requestKey(request)) ?? request.statusId);
}

interface KeyRow {
  readonly account_id: AccountId;
  readonly key: string;
  readonly status_id: StatusId;
}

// A statement of its own: the one that waited for another request does not see what that one stored.
async function loadKeys(db: Transaction['db'], accountIds: readonly AccountId[], keys: readonly string[]) {
  const { rows } = await sql<KeyRow>`
    select account_id, key, status_id
    from unnest(${accountIds}::bigint[], ${keys}::text[]) as wanted(account_id, key)
      join idempotency_keys using (account_id, key)`.execute(db);
  return rows;
}

const requestKey = ({ accountId, key }: Pick<KeyedRequest, 'accountId' | 'key'>): string => `${accountId} ${key}`;
