import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import type { List } from './schema.ts';

const columns = ['id', 'title', 'replies_policy', 'exclusive'] as const;

const listRows = preparedQuery<List>()((db, { ownerId }: { ownerId: AccountId }) =>
  db.selectFrom('lists').select(columns).where('account_id', '=', ownerId).orderBy('id'),
);

const listRowById = preparedQuery<List>()((db, { ownerId, id }: { ownerId: AccountId; id: ListId }) =>
  db.selectFrom('lists').select(columns).where('id', '=', id).where('account_id', '=', ownerId),
);

const listRowsWithMember = preparedQuery<List>()(
  (db, { ownerId, memberId }: { ownerId: AccountId; memberId: AccountId }) =>
    db
      .selectFrom('lists')
      .select(columns)
      .where('account_id', '=', ownerId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('list_accounts')
            .select(sql`1`.as('one'))
            .whereRef('list_accounts.list_id', '=', 'lists.id')
            .where('list_accounts.account_id', '=', memberId),
        ),
      )
      .orderBy('id'),
);

/** Returns all lists of an account, oldest first. */
export function listLists(app: App, ownerId: AccountId): Promise<List[]> {
  return listRows(app, { ownerId });
}

/** Returns the lists of an account that include a member (ACC-10). */
export function listListsWithMember(app: App, ownerId: AccountId, memberId: AccountId): Promise<List[]> {
  return listRowsWithMember(app, { ownerId, memberId });
}

/** Returns a list. Throws 404 if it does not exist or does not belong to the account. */
export async function requireList(app: App, ownerId: AccountId, id: ListId): Promise<List> {
  const [list] = await listRowById(app, { ownerId, id });
  if (list === undefined) throw notFound();
  return list;
}
