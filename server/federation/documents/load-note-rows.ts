import { type InferResult, sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { ReadDatabase } from '../../platform/database/read-database.ts';
import type { StatusId } from '../../platform/ids.ts';
import { followsOrRequestsSql } from '../../relationships/follow/index.ts';
import type { Visibility } from '../../statuses/index.ts';
import { selectStatuses } from '../../statuses/read/index.ts';

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

const selectNotes = (db: ReadDatabase, { ids }: { ids: readonly StatusId[] }) =>
  selectStatuses(db, ids)
    .leftJoin('statuses as parent', 'parent.id', 'status.in_reply_to_id')
    .leftJoin('conversations as conversation', 'conversation.id', 'status.conversation_id')
    .leftJoin('interaction_requests as request', (join) =>
      join.onRef('request.reply_id', '=', 'status.id').on('request.reply_id', 'is not', null),
    )
    .leftJoin('accounts as request_author', 'request_author.id', 'request.author_id')
    .leftJoin('accounts as replied', 'replied.id', 'status.in_reply_to_account_id')
    .leftJoin('statuses as quoted', 'quoted.id', 'quote.quoted_status_id')
    .leftJoin('accounts as quoted_author', 'quoted_author.id', 'quoted.account_id')
    .select([
      'author.username',
      'author.uri as actor_uri',
      'status.text',
      // Null: plain text, which the HTML represents completely.
      'status.content_type',
      'request.id as request_id',
      'request.state as request_state',
      'request.authorization_uri as request_authorization',
      'request_author.uri as request_author',
      'request_author.domain as request_author_domain',
      // Other servers do not learn of local-only and imported posts, such as the parent of a direct post.
      sql<
        string | null
      >`case when parent.visibility not like all (array['local%', 'imported%']) then parent.uri end`.as('parent_uri'),
      'conversation.uri as conversation_uri',
      'conversation.created_at as conversation_created_at',
      // The actor id of the account that it replies to.
      'replied.uri as replied_actor',
      'quote.quoted_uri',
      'quote.approval_uri',
      'quoted.visibility as quoted_visibility',
      'quoted.local as quoted_local',
      'quoted_author.uri as quoted_actor',
      // Of a reply that waits for the author of its parent: what it will be.
      sql<Visibility>`case when request.state = 'pending' then coalesce(request.visibility, status.visibility)
        else status.visibility end`.as('visibility'),
      // Whether the first post of its conversation is local and public.
      sql<boolean | null>`(
        select root.local and not root.is_reply and root.visibility in ('public', 'unlisted') from statuses root
        where root.conversation_id = status.conversation_id and root.deleted_at is null order by root.id limit 1
      )`.as('is_local_conversation'),
      sql<boolean>`quoted.deleted_at is not null`.as('quoted_gone'),
    ])
    .where('status.local', '=', true)
    .where('status.reblog_of_id', 'is', null);

/** A local status with the columns of its document. */
export type NoteRow = InferResult<ReturnType<typeof selectNotes>>[number];

/** Returns the rows of local, undeleted statuses that are not reblogs. */
export const loadNoteRows = preparedQuery<NoteRow>()(selectNotes);

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
export function loadSelfReplies(
  app: App,
  ids: readonly StatusId[],
): Promise<{ parent_id: StatusId; id: StatusId; uri: string }[]> {
  return app.db
    .selectFrom('statuses as reply')
    .innerJoin('statuses as parent', (join) =>
      join.onRef('parent.id', '=', 'reply.in_reply_to_id').onRef('parent.account_id', '=', 'reply.account_id'),
    )
    .select(['parent.id as parent_id', 'reply.id', 'reply.uri'])
    .where(sql<boolean>`reply.in_reply_to_id = any(${ids}::bigint[])`)
    .where('reply.visibility', 'in', ['public', 'unlisted'])
    .where('reply.deleted_at', 'is', null)
    .orderBy('reply.id')
    .execute();
}
