import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { invalid, notFound } from '../platform/http/problems.ts';
import { newId, type AccountId, type ListId } from '../platform/ids.ts';
import { exclusionsChanged, listChanged } from './events.ts';
import { lockList } from './lock-list.ts';

interface Addition {
  readonly accountId: AccountId;
  readonly listId: ListId;
  readonly memberIds: readonly AccountId[];
}

/**
 * Puts accounts into a list, all or none (LST-01). 404 when the list is not of this account or one of them is unknown;
 * 422 when one is neither followed nor asked for nor the owner, or stands in the list already.
 */
export async function addToList(app: App, { accountId, listId, memberIds }: Addition): Promise<void> {
  const asked = [...new Set(memberIds)];
  const now = app.clock.now();
  await write(app, async (write) => {
    const list = await lockList(write, accountId, listId, 'share');
    if (asked.length === 0) return;
    await checkKnown(write, asked);
    await checkFollowed(write, accountId, asked);
    const { rows } = await sql`
      insert into list_accounts (id, list_id, account_id, owner_id, exclusive)
      select member.id, ${listId}::bigint, member.account_id, ${accountId}::bigint, ${list.exclusive}::boolean
      from unnest(${asked.map(() => newId<'row'>(now))}::bigint[], ${asked}::bigint[]) as member(id, account_id)
      on conflict (list_id, account_id) do nothing
      returning id`.execute(write.db);
    if (rows.length < asked.length) throw invalid('Account has already been taken');
    write.emit(listChanged({ listId }));
    if (list.exclusive) write.emit(exclusionsChanged({ accountId, memberIds: asked }));
  });
}

async function checkKnown({ db }: Write, ids: readonly AccountId[]): Promise<void> {
  const { rows } = await sql`
    select id from accounts where id = any(${ids}::bigint[]) and deleted_at is null and activated`.execute(db);
  if (rows.length < ids.length) throw notFound();
}

/** The rows stay locked until the end, so that a follow which ends meanwhile takes the membership with it. */
async function checkFollowed({ db }: Write, ownerId: AccountId, ids: readonly AccountId[]): Promise<void> {
  const known = new Set<AccountId>([ownerId]);
  for (const table of ['follow_requests', 'follows']) {
    const { rows } = await sql<{ target_account_id: AccountId }>`
      select target_account_id from ${sql.table(table)}
      where account_id = ${ownerId}::bigint and target_account_id = any(${ids}::bigint[]) for key share`.execute(db);
    for (const row of rows) known.add(row.target_account_id);
  }
  if (!ids.every((id) => known.has(id))) throw invalid('Account must be followed');
}
