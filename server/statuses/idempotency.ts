import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';

/** How long a key is remembered (STA-10). */
const hour = 3600_000;

const firstResult = prepared<{ status_id: StatusId }>()(
  (db, args: { accountId: AccountId; key: string; since: Date }) =>
    db
      .selectFrom('idempotency_keys')
      .select('status_id')
      .where('account_id', '=', args.accountId)
      .where('key', '=', args.key)
      .where('created_at', '>', args.since),
);

/** The status that a request with this key made within the last hour. */
export async function statusOfKey(app: App, accountId: AccountId, key: string): Promise<StatusId | undefined> {
  const since = new Date(app.clock.now().getTime() - hour);
  return (await firstResult(app, { accountId, key, since }))[0]?.status_id;
}

/**
 * Takes the key for `statusId`. When another request took it first, also one that is under way at this moment, gives
 * the status of that one.
 */
export async function takeKey(
  { db }: Write,
  app: App,
  request: { accountId: AccountId; key: string; statusId: StatusId },
): Promise<StatusId | undefined> {
  const now = app.clock.now();
  const { rows } = await sql`
    insert into idempotency_keys as taken (account_id, key, status_id, created_at)
    values (${request.accountId}, ${request.key}, ${request.statusId}, ${now})
    on conflict (account_id, key) do update set status_id = excluded.status_id, created_at = excluded.created_at
      where taken.created_at <= ${new Date(now.getTime() - hour)}
    returning status_id`.execute(db);
  if (rows.length > 0) return undefined;
  const first = await db
    .selectFrom('idempotency_keys')
    .select('status_id')
    .where('account_id', '=', request.accountId)
    .where('key', '=', request.key)
    .executeTakeFirst();
  return first?.status_id;
}
