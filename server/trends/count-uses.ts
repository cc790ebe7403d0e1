import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { inTransaction, later } from '../platform/write/reactions.ts';
import { idFromDate } from '../platform/ids.ts';
import { cardAttached, statusReblogged, statusTagged } from '../statuses/index.ts';
import { writable } from './tables.ts';

const hourMs = 3_600_000;

/** Returns the hours since the epoch. */
export const currentHour = (app: App): number => Math.floor(app.clock.now().getTime() / hourMs);

/** Posts that arrive a day after their publication are no news. */
const maxAgeMs = 24 * hourMs;

/** Returns the smallest id of a status that still counts. */
export const oldestCountedId = (app: App): string =>
  String((BigInt(idFromDate(new Date(app.clock.now().getTime() - maxAgeMs))) >> 16n) << 16n);

/** An account whose actions make something trend. */
const isCounted = sql<boolean>`a.silenced_at is null and a.suspended_at is null and a.activated and a.deleted_at is null`;

/**
 * Counts the hashtags of public posts, not of local-only ones: trends are public. Rows of different accounts never conflict, so posting waits for no one. Posts
 * without hashtags cost nothing (docs/trends.md).
 */
export const countTagUses = inTransaction([statusTagged], {
  runBatch: async (tx, app, tagged) => {
    const uses = tagged
      .filter(({ localOnly }) => localOnly !== true)
      .flatMap(({ tagIds, ...status }) => tagIds.map((tagId) => ({ tagId, ...status })));
    if (uses.length === 0) return;
    await sql`
      insert into trend_uses (kind, subject_id, hour, account_id, language)
      select distinct on (used.tag_id, used.account_id)
        'tag', used.tag_id, ${currentHour(app)}::int, used.account_id, used.language
      from unnest(
        ${uses.map(({ tagId }) => tagId)}::bigint[], ${uses.map(({ statusId }) => statusId)}::bigint[],
        ${uses.map(({ accountId }) => accountId)}::bigint[], ${uses.map(({ language }) => language)}::text[]
      ) as used (tag_id, status_id, account_id, language)
      join accounts a on a.id = used.account_id
      where ${isCounted} and used.status_id >= ${oldestCountedId(app)}::bigint
      order by used.tag_id, used.account_id
      on conflict do nothing`.execute(tx.db);
  },
});

/** Counts the authors of public posts with a link. */
export const countLinkUses = inTransaction([cardAttached], {
  runBatch: async (tx, app, attached) => {
    await sql`
      insert into trend_uses (kind, subject_id, hour, account_id, language)
      select distinct on (used.card_id, s.account_id)
        'link', used.card_id, ${currentHour(app)}::int, s.account_id, s.language
      from unnest(
        ${attached.map(({ cardId }) => cardId)}::bigint[], ${attached.map(({ statusId }) => statusId)}::bigint[]
      ) as used (card_id, status_id)
      join statuses s on s.id = used.status_id
      join accounts a on a.id = s.account_id
      where ${isCounted} and ${isCountedStatus} and not s.backfilled and s.id >= ${oldestCountedId(app)}::bigint
      order by used.card_id, s.account_id
      on conflict do nothing`.execute(tx.db);
  },
});

/** A post whose reblogs and links count. */
const isCountedStatus = sql<boolean>`s.visibility = 'public' and not s.sensitive and s.spoiler_text = ''`;

/** Counts public reblogs for the post and for its link. */
export const countReblogs = inTransaction([statusReblogged], {
  runBatch: async (tx, app, reblogs) => {
    await sql`
      insert into trend_uses (kind, subject_id, hour, account_id, language)
      select distinct on (subject.kind, subject.id, used.account_id)
        subject.kind, subject.id, ${currentHour(app)}::int, used.account_id, s.language
      from unnest(
        ${reblogs.map(({ reblogOfId }) => reblogOfId)}::bigint[], ${reblogs.map(({ statusId }) => statusId)}::bigint[],
        ${reblogs.map(({ accountId }) => accountId)}::bigint[]
      ) as used (original_id, reblog_id, account_id)
      join statuses s on s.id = used.original_id
      join statuses reblog on reblog.id = used.reblog_id and reblog.visibility = 'public'
      join accounts a on a.id = used.account_id
      left join status_cards card on card.status_id = s.id
      cross join lateral (values ('status', s.id), ('link', card.card_id)) as subject (kind, id)
      where ${isCounted} and ${isCountedStatus} and subject.id is not null and used.account_id <> s.account_id
        and reblog.id >= ${oldestCountedId(app)}::bigint
      order by subject.kind, subject.id, used.account_id
      on conflict do nothing`.execute(tx.db);
  },
});

/** Favourites are read again for this long, so that one that commits late is counted as well. */
const favouriteWindowMs = 30 * 60_000;

/**
 * Counts recent favourites of public posts. The schedule reads them by their ids, so that favouriting costs nothing more.
 * Idempotent.
 */
export async function countFavourites(app: App): Promise<void> {
  const since = idFromDate(new Date(app.clock.now().getTime() - favouriteWindowMs));
  await transaction(app, async ({ db }) => {
    // The id is a literal, because a generic plan expects a third of all favourites.
    await sql`
      insert into trend_uses (kind, subject_id, hour, account_id, language)
      select distinct on (s.id, f.account_id)
        'status', s.id, floor(extract(epoch from f.created_at) / 3600)::int, f.account_id, s.language
      from favourites f
      join statuses s on s.id = f.status_id
      join accounts a on a.id = f.account_id
      where f.id >= ${sql.lit(since)}::bigint and f.account_id <> s.account_id and ${isCounted} and ${isCountedStatus}
      order by s.id, f.account_id
      on conflict do nothing`.execute(db);
  });
}

/** Deletes the uses by a deleted account. */
export const deleteAccountUses = later('background', [accountDeleted], {
  name: 'trend.delete_account_uses',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('trend_uses').where('account_id', '=', accountId).execute();
    }),
});
