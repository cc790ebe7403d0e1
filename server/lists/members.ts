import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import { newestFirst, type Page } from '../platform/http/pages.ts';
import type { AccountId, ListId, RowId } from '../platform/ids.ts';

/** One line of the listing of members: the row that it stands on, and the account it shows. */
export interface Member {
  readonly id: RowId;
  readonly accountId: AccountId;
}

interface Args {
  readonly listId: ListId;
  readonly below: string;
  readonly above: string;
  readonly limit: number;
}

const listing = (direction: 'asc' | 'desc') =>
  prepared<Member>()((db, { listId, below, above, limit }: Args) =>
    db
      .selectFrom('list_accounts as member')
      .innerJoin('accounts', 'accounts.id', 'member.account_id')
      .select(['member.id', 'member.account_id as accountId'])
      .where('member.list_id', '=', listId)
      .where('member.id', '<', sql<RowId>`${below}::bigint`)
      .where('member.id', '>', sql<RowId>`${above}::bigint`)
      .where('accounts.suspended_at', 'is', null)
      .where('accounts.deleted_at', 'is', null)
      .where('accounts.activated', '=', true)
      .orderBy('member.id', direction)
      .limit(sql<number>`${limit}::int`),
  );
const listings = { asc: listing('asc'), desc: listing('desc') };

const highest = '9223372036854775807';

/** The members of a list, the last added first; a `limit` past every number gives all. */
export async function listMembers(app: App, listId: ListId, page: Page): Promise<Member[]> {
  const rows = await listings[page.minId === undefined ? 'desc' : 'asc'](app, {
    listId,
    below: page.maxId ?? highest,
    above: page.minId ?? page.sinceId ?? `-${highest}`,
    limit: page.limit,
  });
  return newestFirst(rows);
}

/** The ids of all members. */
export async function memberIdsOf({ db }: Write, listId: ListId): Promise<AccountId[]> {
  const rows = await db.selectFrom('list_accounts').select('account_id').where('list_id', '=', listId).execute();
  return rows.map((row) => row.account_id);
}
