import { type InferResult, sql } from 'kysely';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { ReadDatabase } from '../../platform/database/read-database.ts';
import type { AccountId, CollectionId, StatusId } from '../../platform/ids.ts';
import type { ArticleRow } from './articles.ts';
import type { ReactionRow } from '../emoji-reactions/cached-reactions.ts';

export interface MentionRow {
  readonly id: AccountId;
  readonly username: string;
  readonly domain: string | null;
  /** The profile page, or the ActivityPub id of an account without one. */
  readonly url: string;
  readonly silent: boolean;
}

/** Starts a query of statuses that are not deleted, with the columns that their API objects and documents share. */
export const selectStatuses = (db: ReadDatabase, ids: readonly StatusId[]) =>
  db
    .selectFrom('statuses as status')
    .innerJoin('accounts as author', 'author.id', 'status.account_id')
    .leftJoin('status_stats as stats', 'stats.status_id', 'status.id')
    .leftJoin('quotes as quote', 'quote.status_id', 'status.id')
    .select([
      'status.id',
      'status.uri',
      'status.url',
      'status.content',
      'status.spoiler_text',
      'status.sensitive',
      'status.language',
      'status.conversation_id',
      'status.media_ids',
      'status.poll_id',
      'status.created_at',
      'status.edited_at',
      'status.quote_policy',
      'status.interaction_policy',
      'stats.replies_count',
      'stats.reblogs_count',
      'stats.favourites_count',
      'quote.id as quote_id',
      'quote.state as quote_state',
      // Moderators marked all posts of the author as sensitive.
      sql<boolean>`author.sensitized_at is not null`.as('author_sensitized'),
      sql<boolean>`author.silenced_at is not null and author.domain is null`.as('author_silenced'),
    ])
    .where(sql<boolean>`status.id = any(${ids}::bigint[])`)
    .where('status.deleted_at', 'is', null);

const selectStatusRows = (db: ReadDatabase, { ids }: { ids: readonly StatusId[] }) =>
  selectStatuses(db, ids)
    .leftJoin('users as u', 'u.account_id', 'status.account_id')
    .leftJoin('status_cards as card', 'card.status_id', 'status.id')
    .leftJoin('oauth_applications as app', 'app.id', 'status.application_id')
    .select([
      'status.account_id',
      'author.domain as author_domain',
      'status.local',
      'status.visibility',
      'status.in_reply_to_id',
      'status.in_reply_to_account_id',
      'status.is_reply',
      'status.reblog_of_id',
      'status.application_id',
      'stats.version',
      'stats.quotes_count',
      'stats.unseen_replies_count',
      'stats.unseen_reblogs_count',
      'stats.unseen_favourites_count',
      'stats.origin_counted_at',
      'quote.legacy as quote_legacy',
      'quote.quoted_status_id',
      'card.card_id',
      // The link as written in the status.
      'card.url as card_url',
      'app.name as application_name',
      'app.website as application_website',
      // Whether others see the application; null: not set.
      sql<boolean | null>`(u.settings ->> 'show_application')::boolean`.as('show_application'),
      sql<MentionRow[] | null>`(
        select json_agg(json_build_object('id', m.account_id::text, 'username', a.username, 'domain', a.domain,
          'url', coalesce(a.url, a.uri), 'silent', m.silent) order by m.id)
        from mentions m join accounts a on a.id = m.account_id where m.status_id = status.id)`.as('mentions'),
      sql<string[] | null>`(
        select json_agg(t.name order by t.id)
        from status_tags st join tags t on t.id = st.tag_id where st.status_id = status.id)`.as('tags'),
      sql<ReactionRow[] | null>`(
        select json_agg(json_build_object('name', rc.name, 'domain', rc.domain, 'count', rc.count)
          order by rc.created_at, rc.name)
        from status_reaction_counts rc where rc.status_id = status.id)`.as('reactions'),
      sql<ArticleRow | null>`(
        select json_build_object('type', ar.type, 'title', ar.title, 'summary', ar.summary, 'length', ar.length,
          'event', ar.event)
        from status_articles ar where ar.status_id = status.id)`.as('article'),
      sql<CollectionId[] | null>`(
        select json_agg(tc.collection_id::text order by tc.collection_id)
        from tagged_collections tc where tc.status_id = status.id)`.as('collection_ids'),
    ]);

/** A status with the related rows that are the same for every viewer. */
export type StatusRow = InferResult<ReturnType<typeof selectStatusRows>>[number];

/** Loads statuses in one statement, without deleted ones. */
export const loadStatusRows = preparedQuery<StatusRow>()(selectStatusRows);
