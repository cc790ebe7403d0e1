import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { type AccountId, noId, type RowId, type StatusId } from '../../platform/ids.ts';

/** Rows that are read at once. */
const batchSize = 100;

/** Lists the posts and boosts of an account, oldest first, in batches. */
export async function* listPostIds({ db }: App, accountId: AccountId): AsyncGenerator<readonly StatusId[]> {
  for (let after: StatusId = noId; ;) {
    const { rows } = await sql<{ id: StatusId }>`
      select id from statuses
      where account_id = ${accountId}::bigint and deleted_at is null and id > ${after}::bigint
      order by id limit ${batchSize}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** Lists the addresses of the posts that an account marked, oldest mark first, in batches. */
export async function* listMarkedUris(
  { db }: App,
  accountId: AccountId,
  table: 'favourites' | 'bookmarks',
): AsyncGenerator<readonly string[]> {
  for (let after: RowId = noId; ;) {
    const { rows } = await sql<{ id: RowId; uri: string }>`
      select mark.id, s.uri from ${sql.table(table)} mark join statuses s on s.id = mark.status_id
      where mark.account_id = ${accountId}::bigint and mark.id > ${after}::bigint and s.deleted_at is null
      order by mark.id limit ${batchSize}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ uri }) => uri);
    after = last.id;
  }
}

/** Lists the keys of the files in the posts of an account, in batches. */
export async function* listMediaKeys({ db }: App, accountId: AccountId): AsyncGenerator<readonly string[]> {
  for (let after = '0'; ;) {
    const { rows } = await sql<{ id: string; key: string }>`
      select id, file_key as key from media_attachments
      where account_id = ${accountId}::bigint and status_id is not null and file_key is not null
        and id > ${after}::bigint
      order by id limit ${batchSize}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ key }) => key);
    after = last.id;
  }
}

/** Returns what the web client stored for the user of an account, as JSON; undefined if nothing. */
export async function findWebSettings({ db }: App, accountId: AccountId): Promise<string | undefined> {
  const row = await db
    .selectFrom('web_settings as settings')
    .innerJoin('users', 'users.id', 'settings.user_id')
    .select('settings.data')
    .where('users.account_id', '=', accountId)
    .executeTakeFirst();
  return row?.data;
}

/** Returns the accounts at providers with which the user of an account signs in. */
export const findIdentities = ({ db }: App, accountId: AccountId) =>
  db
    .selectFrom('identities as identity')
    .innerJoin('users as user', 'user.id', 'identity.user_id')
    .select(['identity.issuer', 'identity.subject', 'identity.email', 'identity.created_at', 'identity.last_used_at'])
    .where('user.account_id', '=', accountId)
    .orderBy('identity.id')
    .execute();
