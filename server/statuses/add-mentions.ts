import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';
import { loadAccountRelations } from '../relationships/index.ts';
import { contentTypeOf } from './content-type.ts';
import { mentionsAdded, statusChanged } from './events.ts';
import { findQuotedStatus, withQuoteLink } from './quote-status.ts';
import { formatStatusText } from './format-status-text.ts';

/**
 * Writes accounts that became known after a local status was posted (see `mentionsLeftOpen`) into it: its HTML links to
 * those whom its text names, and they are mentioned. Others of `accountIds` are left out, as are those whom the author
 * blocks. Doing it twice is the same as doing it once.
 */
export async function addMentions(app: App, statusId: StatusId, accountIds: readonly AccountId[]): Promise<void> {
  const status = await app.db
    .selectFrom('statuses')
    .select(['text', 'content_type', 'account_id'])
    .where('id', '=', statusId)
    .where('local', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (status === undefined) return;
  const accountId = status.account_id;
  const [posted, { blocking }, quoted] = await Promise.all([
    formatStatusText(app, status.text, contentTypeOf(status)),
    loadAccountRelations(app, accountId),
    findQuotedStatus(app, statusId),
  ]);
  const content = withQuoteLink(posted.content, quoted);
  const named = posted.mentionedIds.filter((id) => accountIds.includes(id) && !blocking.has(id));
  if (named.length === 0) return;
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const { db } = tx;
    const { numUpdatedRows } = await db
      .updateTable('statuses')
      .set({ content })
      .where('id', '=', statusId)
      .where('text', '=', status.text)
      .where(sql<boolean>`content_type is not distinct from ${status.content_type}`)
      .executeTakeFirstOrThrow();
    // An edit came in between: it has looked up its own handles.
    if (numUpdatedRows === 0n) return;
    await sql`update status_edits set content = ${content}
      where id = (select max(id) from status_edits where status_id = ${statusId})`.execute(db);
    const { rows } = await sql<{ account_id: AccountId }>`
      insert into mentions (id, status_id, account_id)
      select mention.id, ${statusId}, mention.account_id
      from unnest(${named.map(() => newId<'row'>(now))}::bigint[], ${named}::bigint[]) as mention(id, account_id)
      on conflict (status_id, account_id) do nothing
      returning account_id`.execute(db);
    tx.emit(statusChanged({ statusId }));
    if (rows.length === 0) return;
    const mentionedIds = rows.map(({ account_id }) => account_id);
    tx.emit(mentionsAdded({ statusId, accountId, mentionedIds }));
  });
}
