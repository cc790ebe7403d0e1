import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { deleteStatusIn } from '../../statuses/post/index.ts';
import { remoteStatusesDeleted } from '../events.ts';

interface PostRow {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly uri: string;
  readonly local: boolean;
}

/**
 * Deletes posts for staff. The copies of their reports stay as evidence. A remote post is deleted on this server only, and
 * is not stored again. Returns the posts that were not deleted before.
 */
export async function deleteStatuses(tx: Transaction, app: App, ids: readonly StatusId[]): Promise<StatusId[]> {
  const { rows } = await sql<PostRow>`
    select id, account_id, uri, local from statuses
    where id = any(${[...ids]}::bigint[]) and deleted_at is null order by id for update`.execute(tx.db);
  const deleted: PostRow[] = [];
  for (const post of rows) if (await deleteStatusIn(tx, app, post.id)) deleted.push(post);
  const [first] = deleted.filter(({ local }) => !local);
  if (first !== undefined) {
    const uris = deleted.filter(({ local }) => !local).map(({ uri }) => uri);
    tx.emit(remoteStatusesDeleted({ accountId: first.account_id, uris }));
  }
  return deleted.map(({ id }) => id);
}
