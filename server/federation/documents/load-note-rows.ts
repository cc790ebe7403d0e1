import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { MediaId, PollId, StatusId } from '../../platform/ids.ts';
import type { InteractionRequestId, RequestState } from '../../interactions/requests/index.ts';
import type { QuoteId, QuoteState } from '../../quotes/index.ts';
import { followsOrRequestsSql } from '../../relationships/follow/index.ts';
import type { Visibility } from '../../statuses/index.ts';

/** A local status with the columns of its document. */
export interface NoteRow {
  readonly id: StatusId;
  readonly uri: string;
  readonly url: string | null;
  readonly username: string;
  readonly actor_uri: string;
  readonly text: string;
  /** Null: plain text, which the HTML represents completely. */
  readonly content_type: string | null;
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  /** Staff marked all media of the author as sensitive. */
  readonly author_sensitized: boolean;
  readonly author_silenced: boolean;
  readonly language: string | null;
  /** Of a reply that waits for the author of its parent: what it will be. */
  readonly visibility: Visibility;
  readonly request_id: InteractionRequestId | null;
  readonly request_state: RequestState | null;
  readonly request_author: string | null;
  readonly request_author_domain: string | null;
  readonly request_authorization: string | null;
  readonly parent_uri: string | null;
  readonly conversation_id: string | null;
  readonly conversation_uri: string | null;
  /** The first post of its conversation is local and public. */
  readonly is_local_conversation: boolean | null;
  readonly conversation_created_at: Date | null;
  readonly media_ids: MediaId[];
  readonly poll_id: PollId | null;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly favourites_count: number;
  readonly reblogs_count: number;
  readonly quote_policy: number;
  readonly interaction_policy: number | null;
  /** Actor id of the account that it replies to. */
  readonly replied_actor: string | null;
  readonly quote_id: QuoteId | null;
  readonly quote_state: QuoteState | null;
  readonly quoted_uri: string | null;
  readonly approval_uri: string | null;
  readonly quoted_visibility: Visibility | null;
  readonly quoted_gone: boolean;
  readonly quoted_actor: string | null;
  readonly quoted_local: boolean | null;
}

/** An account that a status mentions. */
export interface MentionRow {
  readonly id: string;
  readonly status_id: StatusId;
  readonly uri: string;
  readonly username: string;
  readonly domain: string | null;
  readonly silent: boolean;
}

/** A collection of accounts that a status links to. */
export interface LinkedCollection {
  readonly status_id: StatusId;
  readonly uri: string;
  readonly url: string | null;
  readonly name: string;
}

/** Returns the rows of local, undeleted statuses that are not reblogs. */
export function loadNoteRows(app: App, ids: readonly StatusId[]): Promise<NoteRow[]> {
  return app.db
    .selectFrom('statuses as status')
    .innerJoin('accounts as author', 'author.id', 'status.account_id')
    .leftJoin('statuses as parent', 'parent.id', 'status.in_reply_to_id')
    .leftJoin('conversations as conversation', 'conversation.id', 'status.conversation_id')
    .leftJoin('interaction_requests as request', (join) =>
      join.onRef('request.reply_id', '=', 'status.id').on('request.reply_id', 'is not', null),
    )
    .leftJoin('accounts as request_author', 'request_author.id', 'request.author_id')
    .leftJoin('accounts as replied', 'replied.id', 'status.in_reply_to_account_id')
    .leftJoin('status_stats as stats', 'stats.status_id', 'status.id')
    .leftJoin('quotes as quote', 'quote.status_id', 'status.id')
    .leftJoin('statuses as quoted', 'quoted.id', 'quote.quoted_status_id')
    .leftJoin('accounts as quoted_author', 'quoted_author.id', 'quoted.account_id')
    .select([
      'status.id',
      'status.uri',
      'status.url',
      'author.username',
      'author.uri as actor_uri',
      'status.text',
      'status.content_type',
      'status.content',
      'status.spoiler_text',
      'status.sensitive',
      'status.language',
      'request.id as request_id',
      'request.state as request_state',
      'request.authorization_uri as request_authorization',
      'request_author.uri as request_author',
      'request_author.domain as request_author_domain',
      'parent.uri as parent_uri',
      'status.conversation_id',
      'conversation.uri as conversation_uri',
      'conversation.created_at as conversation_created_at',
      'status.media_ids',
      'status.poll_id',
      'status.created_at',
      'status.edited_at',
      'status.quote_policy',
      'status.interaction_policy',
      'replied.uri as replied_actor',
      'quote.id as quote_id',
      'quote.state as quote_state',
      'quote.quoted_uri',
      'quote.approval_uri',
      'quoted.visibility as quoted_visibility',
      'quoted.local as quoted_local',
      'quoted_author.uri as quoted_actor',
    ])
    .select((eb) => [
      sql<Visibility>`case when request.state = 'pending' then coalesce(request.visibility, status.visibility)
        else status.visibility end`.as('visibility'),
      sql<boolean | null>`(
        select root.local and not root.is_reply and root.visibility in ('public', 'unlisted') from statuses root
        where root.conversation_id = status.conversation_id and root.deleted_at is null order by root.id limit 1
      )`.as('is_local_conversation'),
      eb.fn.coalesce('stats.favourites_count', sql<number>`0`).as('favourites_count'),
      eb.fn.coalesce('stats.reblogs_count', sql<number>`0`).as('reblogs_count'),
      sql<boolean>`quoted.deleted_at is not null`.as('quoted_gone'),
      sql<boolean>`author.sensitized_at is not null`.as('author_sensitized'),
      sql<boolean>`author.silenced_at is not null`.as('author_silenced'),
    ])
    .where(sql<boolean>`status.id = any(${ids}::bigint[])`)
    .where('status.local', '=', true)
    .where('status.reblog_of_id', 'is', null)
    .where('status.deleted_at', 'is', null)
    .execute();
}

/** Returns the collections that statuses link to. */
export function loadLinkedCollections(app: App, ids: readonly StatusId[]): Promise<LinkedCollection[]> {
  return app.db
    .selectFrom('tagged_collections as tagged')
    .innerJoin('collections', 'collections.id', 'tagged.collection_id')
    .select(['tagged.status_id', 'collections.uri', 'collections.url', 'collections.name'])
    .where(sql<boolean>`tagged.status_id = any(${ids}::bigint[])`)
    .orderBy('collections.id')
    .execute();
}

/** Returns the mentions of statuses, also those that a reply gets once the author of its parent accepts it. */
export async function loadMentionRows(app: App, ids: readonly StatusId[]): Promise<MentionRow[]> {
  const { rows } = await sql<MentionRow>`
    select mention.id, mention.status_id, accounts.uri, accounts.username, accounts.domain, mention.silent
    from (
      select id, status_id, account_id, silent from mentions where status_id = any(${ids}::bigint[])
      union all
      select request.id, request.reply_id, withheld.id, withheld.id = any(request.silent_ids)
      from interaction_requests request
        cross join unnest(request.mentioned_ids || request.silent_ids) as withheld(id)
      where request.reply_id = any(${ids}::bigint[]) and request.reply_id is not null and request.state = 'pending'
    ) as mention join accounts on accounts.id = mention.account_id
    order by mention.id, accounts.id`.execute(app.db);
  return rows;
}

/** Returns the ids of those mentions whose accounts follow the author of the status, or requested to. */
export async function listMentionsOfFollowers(app: App, ids: readonly StatusId[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select mention.id from mentions mention join statuses status on status.id = mention.status_id
    where mention.status_id = any(${ids}::bigint[])
      and ${followsOrRequestsSql(sql`mention.account_id`, sql`status.account_id`)}`.execute(app.db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the hashtags of statuses. */
export function loadTagRows(
  app: App,
  ids: readonly StatusId[],
): Promise<{ status_id: StatusId; name: string; display_name: string }[]> {
  return app.db
    .selectFrom('status_tags')
    .innerJoin('tags', 'tags.id', 'status_tags.tag_id')
    .select(['status_tags.status_id', 'tags.name', 'tags.display_name'])
    .where(sql<boolean>`status_tags.status_id = any(${ids}::bigint[])`)
    .orderBy('tags.id')
    .execute();
}

/** Returns the public replies of authors to their own posts. */
export function loadSelfReplies(app: App, ids: readonly StatusId[]): Promise<{ parent_id: StatusId; uri: string }[]> {
  return app.db
    .selectFrom('statuses as reply')
    .innerJoin('statuses as parent', (join) =>
      join.onRef('parent.id', '=', 'reply.in_reply_to_id').onRef('parent.account_id', '=', 'reply.account_id'),
    )
    .select(['parent.id as parent_id', 'reply.uri'])
    .where(sql<boolean>`reply.in_reply_to_id = any(${ids}::bigint[])`)
    .where('reply.visibility', 'in', ['public', 'unlisted'])
    .where('reply.deleted_at', 'is', null)
    .orderBy('reply.id')
    .execute();
}
