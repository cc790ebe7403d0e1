import { sql } from 'kysely';
import type { CardId } from '../../cards/index.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type {
  AccountId,
  ApplicationId,
  CollectionId,
  ConversationId,
  MediaId,
  PollId,
  StatusId,
} from '../../platform/ids.ts';
import type { QuoteId, QuoteState } from '../../quotes/index.ts';
import type { ReactionRow } from '../emoji-reactions/cached-reactions.ts';
import type { Visibility } from '../tables.ts';

export interface MentionRow {
  readonly id: AccountId;
  readonly username: string;
  readonly domain: string | null;
  /** The profile page, or the ActivityPub id of an account without one. */
  readonly url: string;
  readonly silent: boolean;
}

/** A status with the related rows that are the same for every viewer. */
export interface StatusRow {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly author_domain: string | null;
  readonly uri: string;
  readonly url: string | null;
  readonly local: boolean;
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly visibility: Visibility;
  readonly in_reply_to_id: StatusId | null;
  readonly in_reply_to_account_id: AccountId | null;
  readonly is_reply: boolean;
  readonly reblog_of_id: StatusId | null;
  readonly conversation_id: ConversationId | null;
  readonly application_id: ApplicationId | null;
  readonly media_ids: MediaId[];
  readonly poll_id: PollId | null;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly version: number | null;
  readonly replies_count: number | null;
  readonly reblogs_count: number | null;
  readonly favourites_count: number | null;
  readonly quotes_count: number | null;
  readonly quote_policy: number;
  readonly interaction_policy: number | null;
  /** The quote of the status. */
  readonly quote_id: QuoteId | null;
  readonly quote_state: QuoteState | null;
  readonly quote_legacy: boolean | null;
  readonly quoted_status_id: StatusId | null;
  readonly card_id: CardId | null;
  /** The link as written in the status. */
  readonly card_url: string | null;
  readonly application_name: string | null;
  readonly application_website: string | null;
  /** Whether others see the application; null: not set. */
  readonly show_application: boolean | null;
  /** Moderators marked all posts of the author as sensitive. */
  readonly author_sensitized: boolean;
  /** The author is local and silenced. */
  readonly author_silenced: boolean;
  /** In order of mention. */
  readonly mentions: MentionRow[] | null;
  readonly tags: string[] | null;
  /** In order of the first one. */
  readonly reactions: ReactionRow[] | null;
  /** Collections that it links to. */
  readonly collection_ids: CollectionId[] | null;
}

/** Loads statuses in one statement, without deleted ones. */
export const loadStatusRows = preparedQuery<StatusRow>()((db, { ids }: { ids: readonly StatusId[] }) =>
  db
    .selectFrom('statuses as s')
    .innerJoin('accounts as author', 'author.id', 's.account_id')
    .leftJoin('users as u', 'u.account_id', 's.account_id')
    .leftJoin('status_stats as stats', 'stats.status_id', 's.id')
    .leftJoin('quotes as quote', 'quote.status_id', 's.id')
    .leftJoin('status_cards as card', 'card.status_id', 's.id')
    .leftJoin('oauth_applications as app', 'app.id', 's.application_id')
    .select([
      's.id',
      's.account_id',
      'author.domain as author_domain',
      's.uri',
      's.url',
      's.local',
      's.content',
      's.spoiler_text',
      's.sensitive',
      's.language',
      's.visibility',
      's.in_reply_to_id',
      's.in_reply_to_account_id',
      's.is_reply',
      's.reblog_of_id',
      's.conversation_id',
      's.application_id',
      's.media_ids',
      's.poll_id',
      's.created_at',
      's.edited_at',
      'stats.version',
      'stats.replies_count',
      'stats.reblogs_count',
      'stats.favourites_count',
      'stats.quotes_count',
      's.quote_policy',
      's.interaction_policy',
      'quote.id as quote_id',
      'quote.state as quote_state',
      'quote.legacy as quote_legacy',
      'quote.quoted_status_id',
      'card.card_id',
      'card.url as card_url',
      'app.name as application_name',
      'app.website as application_website',
      sql<boolean | null>`(u.settings ->> 'show_application')::boolean`.as('show_application'),
      sql<boolean>`author.sensitized_at is not null`.as('author_sensitized'),
      sql<boolean>`author.silenced_at is not null and author.domain is null`.as('author_silenced'),
      sql<MentionRow[] | null>`(
        select json_agg(json_build_object('id', m.account_id::text, 'username', a.username, 'domain', a.domain,
          'url', coalesce(a.url, a.uri), 'silent', m.silent) order by m.id)
        from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id)`.as('mentions'),
      sql<string[] | null>`(
        select json_agg(t.name order by t.id)
        from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id)`.as('tags'),
      sql<ReactionRow[] | null>`(
        select json_agg(json_build_object('name', rc.name, 'domain', rc.domain, 'count', rc.count)
          order by rc.created_at, rc.name)
        from status_reaction_counts rc where rc.status_id = s.id)`.as('reactions'),
      sql<CollectionId[] | null>`(
        select json_agg(tc.collection_id::text order by tc.collection_id)
        from tagged_collections tc where tc.status_id = s.id)`.as('collection_ids'),
    ])
    .where(sql<boolean>`s.id = any(${ids}::bigint[])`)
    .where('s.deleted_at', 'is', null),
);
