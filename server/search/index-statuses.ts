import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { StatusId } from '../platform/ids.ts';
import { on, onBatch, type Subscription } from '../platform/jobs/events.ts';
import { statusDeleted, statusEdited, statusPosted } from '../statuses/index.ts';
import { htmlToText } from '../text/index.ts';
import { vectorOf } from './search-words.ts';

/**
 * Puts the words of these statuses into the index, or puts them there anew: warning, text and the descriptions of
 * attachments. Statuses that are gone, and reblogs, are left out.
 */
export async function indexStatuses(app: App, ids: readonly StatusId[]): Promise<void> {
  const rows = await app.db
    .selectFrom('statuses')
    .select(['id', 'account_id', 'spoiler_text', 'local', 'text', 'content'])
    .select(
      sql<string[]>`array(select m.description from media_attachments m
        where m.id = any(statuses.media_ids) and m.description is not null)`.as('descriptions'),
    )
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('reblog_of_id', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
  const entries = rows.map(({ id, account_id, spoiler_text, local, text, content, descriptions }) => ({
    status_id: id,
    account_id,
    words: vectorOf([spoiler_text, local ? text : htmlToText(content), ...descriptions]),
  }));
  if (entries.length === 0) return;
  await write(app, ({ db }) =>
    sql`
      insert into status_search (status_id, account_id, words)
      select * from unnest(
        ${entries.map((entry) => entry.status_id)}::bigint[],
        ${entries.map((entry) => entry.account_id)}::bigint[],
        ${entries.map((entry) => entry.words)}::tsvector[]
      )
      on conflict (status_id) do update set words = excluded.words`.execute(db),
  );
}

async function forgetStatus(app: App, statusId: StatusId): Promise<void> {
  await write(app, ({ db }) => db.deleteFrom('status_search').where('status_id', '=', statusId).execute());
}

export const indexing: readonly Subscription[] = [
  onBatch(statusPosted, 'search-index', (app, posted) =>
    indexStatuses(
      app,
      posted.map(({ statusId }) => statusId),
    ),
  ),
  on(statusEdited, 'search-index-again', (app, { statusId }) => indexStatuses(app, [statusId])),
  on(statusDeleted, 'search-forget', (app, { statusId }) => forgetStatus(app, statusId), 'slow'),
];
