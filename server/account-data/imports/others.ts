import { sql, type RawBuilder } from 'kysely';
import { deleteList, removeFromList } from '../../lists/index.ts';
import type { App } from '../../platform/app.ts';
import type { AnyId } from '../../platform/ids.ts';
import { unfollowAccount } from '../../relationships/follow/index.ts';
import { unblockAccount, unblockDomain, unmuteAccount } from '../../relationships/hide/index.ts';
import { unbookmarkStatus } from '../../statuses/react/index.ts';
import type { ImportRow } from './find-imports.ts';

/** An entry that the file does not list. Of `lists`: a list without a member is deleted. */
interface Other {
  /** Of `domain_blocks`: the domain. */
  readonly id: AnyId;
  readonly member?: AnyId | null;
}

/** Counts the entries that an import which overwrites would remove. */
export async function countOthers(app: App, imported: ImportRow): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${othersSql(app, imported)}) others`.execute(app.db);
  return rows[0]?.count ?? 0;
}

/** Removes some entries that the file does not list. Returns their number; 0 when none is left. */
export async function removeOthers(app: App, imported: ImportRow, limit: number): Promise<number> {
  const { rows } = await sql<Other>`${othersSql(app, imported)} limit ${limit}`.execute(app.db);
  for (const other of rows) await remove(app, imported, other);
  return rows.length;
}

async function remove(app: App, { type, account_id: accountId }: ImportRow, { id, member }: Other): Promise<void> {
  if (type === 'following') return void (await unfollowAccount(app, accountId, id));
  if (type === 'blocks') return void (await unblockAccount(app, accountId, id));
  if (type === 'mutes') return unmuteAccount(app, accountId, id);
  if (type === 'domain_blocks') return unblockDomain(app, accountId, id);
  if (type === 'bookmarks') return void (await unbookmarkStatus(app, accountId, id));
  const listId = id;
  if (member === null || member === undefined) return deleteList(app, accountId, listId);
  return removeFromList(app, { accountId, listId, memberIds: [member] });
}

function othersSql(app: App, imported: ImportRow): RawBuilder<Other> {
  const { account_id: accountId, type } = imported;
  const owner = sql`${accountId}::bigint`;
  const isListed = (target: RawBuilder<unknown>) =>
    sql`exists (select from import_rows row where row.import_id = ${imported.id}::bigint and row.target = ${target})`;
  const address = sql`lower(a.username || '@' || coalesce(a.domain, ${app.config.domain}))`;
  const isOther = sql`entry.account_id = ${owner} and not ${isListed(address)}`;
  if (type === 'following')
    return sql<Other>`(
      select a.id from follows entry join accounts a on a.id = entry.target_account_id where ${isOther}
      union
      select a.id from follow_requests entry join accounts a on a.id = entry.target_account_id where ${isOther})`;
  if (type === 'blocks')
    return sql<Other>`select a.id from blocks entry join accounts a on a.id = entry.target_account_id where ${isOther}`;
  if (type === 'mutes')
    return sql<Other>`select a.id from mutes entry join accounts a on a.id = entry.target_account_id where ${isOther}`;
  if (type === 'domain_blocks')
    return sql<Other>`select domain as id from account_domain_blocks
      where account_id = ${owner} and not ${isListed(sql`domain`)}`;
  if (type === 'bookmarks')
    return sql<Other>`select s.id from bookmarks b join statuses s on s.id = b.status_id
      where b.account_id = ${owner} and not ${isListed(sql`s.uri`)}`;
  const titled = sql`select from import_rows row
    where row.import_id = ${imported.id}::bigint and row.problem is null and row.options ->> 'list' = l.title`;
  return sql<Other>`(
    select l.id, null::bigint as member from lists l where l.account_id = ${owner} and not exists (${titled})
    union all
    select l.id, m.account_id from lists l join list_accounts m on m.list_id = l.id join accounts a on a.id = m.account_id
    where l.account_id = ${owner} and exists (${titled}) and not exists (${titled} and row.target = ${address}))`;
}
