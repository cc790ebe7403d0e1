import { defineJob } from '../platform/jobs/define-job.ts';
import { on, type Subscription } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { statusDeleted, statusEdited, statusCreated } from '../statuses/index.ts';
import { htmlToText, splitWords } from '../text/index.ts';
import { buildTsvector } from './search-words.ts';
import { loadStems } from './stems.ts';

/**
 * Stores or replaces the index entries of statuses: the words of the warning, the text and the image descriptions, and
 * their stems in the language of the status. Skips deleted statuses and reblogs.
 */
export async function indexStatuses(app: App, ids: readonly StatusId[]): Promise<void> {
  const rows = await app.db
    .selectFrom('statuses')
    .select(['id', 'account_id', 'spoiler_text', 'local', 'text', 'content', 'language'])
    .select(
      sql<string[]>`array(select m.description from media_attachments m
        where m.id = any(statuses.media_ids) and m.description is not null)`.as('descriptions'),
    )
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('reblog_of_id', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
  const texts = rows.map(({ id, account_id, spoiler_text, local, text, content, language, descriptions }) => ({
    id,
    account_id,
    language,
    parts: [spoiler_text, local ? text : htmlToText(content), ...descriptions].map(splitWords),
  }));
  const stemOf = await loadStems(
    app,
    texts.map(({ language, parts }) => ({ language, words: parts.flat() })),
  );
  const entries = texts.map(({ id, account_id, language, parts }) => ({
    status_id: id,
    account_id,
    words: buildTsvector(
      parts.map((words) => words.map((word) => ({ folded: word.folded, stem: stemOf(language, word) }))),
    ),
  }));
  if (entries.length === 0) return;
  await transaction(app, ({ db }) =>
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

async function deleteStatusEntry(app: App, statusId: StatusId): Promise<void> {
  await transaction(app, ({ db }) => db.deleteFrom('status_search').where('status_id', '=', statusId).execute());
}

const reindexBatchSize = 500;

/**
 * Indexes all statuses again, newest first, in batches: each job stores the next one. The migration that changes what an
 * index entry contains stores the first. `before`: only statuses with a lower id.
 */
export const reindexStatuses = defineJob(
  'search.reindex_statuses',
  Type.Object({ before: idSchema<'status'>() }),
  async (app, { before }) => {
    const entries = await app.db
      .selectFrom('status_search')
      .select('status_id')
      .where('status_id', '<', before)
      .orderBy('status_id', 'desc')
      .limit(reindexBatchSize)
      .execute();
    const last = entries.at(-1);
    if (last === undefined) return;
    await indexStatuses(
      app,
      entries.map(({ status_id }) => status_id),
    );
    await transaction(app, async ({ enqueue }) => enqueue(reindexStatuses({ before: last.status_id })));
  },
);

export const subscriptions: readonly Subscription[] = [
  on([statusCreated], {
    name: 'search.index_statuses',
    runBatch: (app, posted) =>
      indexStatuses(
        app,
        posted.map(({ statusId }) => statusId),
      ),
  }),
  on([statusEdited], {
    name: 'search.index_edited_status',
    run: (app, { statusId }) => indexStatuses(app, [statusId]),
  }),
  reindexStatuses.subscription,
  on([statusDeleted], {
    name: 'search.delete_status_entry',
    queue: 'background',
    run: (app, { statusId }) => deleteStatusEntry(app, statusId),
  }),
];
