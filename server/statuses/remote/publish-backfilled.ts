import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId, TagId } from '../../platform/ids.ts';
import { statusCreated, statusReblogged, statusTagged } from '../events.ts';
import { hasLink } from '../post/created-event.ts';
import type { Visibility } from '../tables.ts';

interface DeliveredRow {
  readonly account_id: AccountId;
  readonly visibility: Visibility;
  readonly is_reply: boolean;
  readonly content: string;
  readonly language: string | null;
  readonly reblog_of_id: StatusId | null;
  readonly original_local: boolean | null;
  readonly mentions: boolean;
  readonly tag_ids: readonly TagId[];
}

/**
 * Makes news of a backfilled status or reblog that its author delivers after all: emits the events of a new one. No-op if it
 * is not backfilled.
 */
export async function publishBackfilled(app: App, statusId: StatusId): Promise<void> {
  await transaction(app, async (tx) => {
    const { rows } = await sql<DeliveredRow>`
      update statuses s set backfilled = false
      where id = ${statusId}::bigint and backfilled and deleted_at is null
      returning account_id, visibility, is_reply, content, language, reblog_of_id,
        (select original.local from statuses original where original.id = s.reblog_of_id) as original_local,
        exists (select from mentions where status_id = s.id) as mentions,
        array(select tag_id from status_tags where status_id = s.id) as tag_ids`.execute(tx.db);
    const [row] = rows;
    if (row === undefined) return;
    const { account_id: accountId, visibility, language, reblog_of_id: reblogOfId, tag_ids: tagIds } = row;
    if (reblogOfId !== null) {
      const originalLocal = row.original_local === true;
      tx.emit(statusReblogged({ statusId, reblogOfId, accountId, local: false, originalLocal }));
      return;
    }
    if (visibility === 'public' && tagIds.length > 0)
      tx.emit(statusTagged({ statusId, accountId, tagIds: [...tagIds], language }));
    tx.emit(
      statusCreated({
        statusId,
        accountId,
        local: false,
        direct: visibility === 'direct',
        public: visibility === 'public',
        reply: row.is_reply,
        mentions: row.mentions,
        tags: tagIds.length > 0,
        link: hasLink(app, row.content),
      }),
    );
  });
}
