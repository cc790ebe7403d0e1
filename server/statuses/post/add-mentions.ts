import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { contentTypeOf } from './content-type.ts';
import { mentionsAdded, statusChanged } from '../events.ts';
import { findQuotedStatus, withQuoteLink } from '../quote/quote-status.ts';
import { writable } from '../tables.ts';
import { formatStatusText } from './format-status-text.ts';

/**
 * Adds mentions of accounts that were unknown when a local status was posted (`mentionsUnresolved`), and links them in its
 * HTML. Skips accounts that the text does not name and those that the author blocks. Idempotent.
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
  const [formatted, { blocking }, quoted] = await Promise.all([
    formatStatusText(app, status.text, contentTypeOf(status)),
    loadAccountRelations(app, accountId),
    findQuotedStatus(app, statusId),
  ]);
  const content = withQuoteLink(formatted.content, quoted);
  const mentionedIds = formatted.mentionedIds.filter((id) => accountIds.includes(id) && !blocking.has(id));
  if (mentionedIds.length === 0) return;
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const { db } = tx;
    const { numUpdatedRows } = await writable(db)
      .updateTable('statuses')
      .set({ content })
      .where('id', '=', statusId)
      .where('text', '=', status.text)
      .where(sql<boolean>`content_type is not distinct from ${status.content_type}`)
      .executeTakeFirstOrThrow();
    // The status was edited meanwhile. The edit resolved its own handles.
    if (numUpdatedRows === 0n) return;
    await sql`update status_edits set content = ${content}
      where id = (select max(id) from status_edits where status_id = ${statusId})`.execute(db);
    const { rows } = await sql<{ account_id: AccountId }>`
      insert into mentions (id, status_id, account_id)
      select mention.id, ${statusId}, mention.account_id
      from unnest(${mentionedIds.map(() => newId<'row'>(now))}::bigint[], ${mentionedIds}::bigint[]) as mention(id, account_id)
      on conflict (status_id, account_id) do nothing
      returning account_id`.execute(db);
    tx.emit(statusChanged({ statusId }));
    if (rows.length === 0) return;
    const addedIds = rows.map(({ account_id }) => account_id);
    tx.emit(mentionsAdded({ statusId, accountId, mentionedIds: addedIds }));
  });
}
