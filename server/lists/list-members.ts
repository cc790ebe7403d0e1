import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, ListId, RowId } from '../platform/ids.ts';

/** A membership of a list. */
export interface Member {
  /** Cursor. */
  readonly id: RowId;
  readonly accountId: AccountId;
}

const memberRows = pagedQuery<Member>()<{ listId: ListId }>((db, args, order) =>
  db
    .selectFrom('list_accounts as member')
    .innerJoin('accounts', 'accounts.id', 'member.account_id')
    .select(['member.id', 'member.account_id as accountId'])
    .where('member.list_id', '=', args.listId)
    .where('member.id', '<', sql<RowId>`${args.below}::bigint`)
    .where('member.id', '>', sql<RowId>`${args.above}::bigint`)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.activated', '=', true)
    .orderBy(sql`member.id ${order}`)
    .limit(sql<number>`${args.limit}::int`),
);

/** Returns a page of the members of a list, last added first. */
export const listMembers = (app: App, listId: ListId, page: Page): Promise<Member[]> =>
  memberRows(app, page, { listId });

/** Returns the ids of all members. */
export async function listMemberIds({ db }: Transaction, listId: ListId): Promise<AccountId[]> {
  const rows = await db.selectFrom('list_accounts').select('account_id').where('list_id', '=', listId).execute();
  return rows.map((row) => row.account_id);
}
