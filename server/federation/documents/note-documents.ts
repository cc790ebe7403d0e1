import { sql, type Selectable } from 'kysely';
import { actorUrls } from '../../accounts/index.ts';
import { presentMedia } from '../../media/index.ts';
import type { MediaTables } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import type { MediaId, PollId, StatusId } from '../../platform/ids.ts';
import { findPolls, type ShownPoll } from '../../polls/index.ts';
import type { Visibility } from '../../statuses/index.ts';
import { contextUri } from './context-uri.ts';
import type { QuoteId, QuoteState } from '../../quotes/index.ts';
import { audienceOf, instant } from './activities.ts';
import { emojiTags } from './emoji-documents.ts';
import { hashtag } from './hashtag.ts';
import { interactionPolicy, quoteMembers } from './quote-documents.ts';
import { question } from './question.ts';
import type { Json } from './values.ts';

interface NoteRow {
  readonly id: StatusId;
  readonly uri: string;
  readonly url: string | null;
  readonly username: string;
  readonly actor_uri: string;
  readonly text: string;
  /** Null: plain text, which its HTML says all of. */
  readonly content_type: string | null;
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly visibility: Visibility;
  readonly parent_uri: string | null;
  readonly conversation_id: string | null;
  readonly conversation_uri: string | null;
  /** The first post of its conversation is of this server, and everybody may read it. */
  readonly begun_here: boolean | null;
  readonly conversation_created_at: Date | null;
  readonly media_ids: MediaId[];
  readonly poll_id: PollId | null;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly favourites_count: number;
  readonly reblogs_count: number;
  readonly quote_policy: number;
  readonly quote_id: QuoteId | null;
  readonly quote_state: QuoteState | null;
  readonly quoted_uri: string | null;
  readonly approval_uri: string | null;
  readonly quoted_visibility: Visibility | null;
  readonly quoted_gone: boolean;
  readonly quoted_actor: string | null;
  readonly quoted_local: boolean | null;
}

interface Mentioned {
  readonly status_id: StatusId;
  readonly uri: string;
  readonly username: string;
  readonly domain: string | null;
  readonly silent: boolean;
}

/** A collection of accounts that a status links to. */
interface LinkedCollection {
  readonly status_id: StatusId;
  readonly uri: string;
  readonly url: string | null;
  readonly name: string;
}

interface Parts {
  readonly mentions: ReadonlyMap<StatusId, readonly Mentioned[]>;
  readonly tags: ReadonlyMap<StatusId, readonly { readonly name: string; readonly display_name: string }[]>;
  readonly media: ReadonlyMap<MediaId, Json>;
  readonly emojis: ReadonlyMap<StatusId, readonly Json[]>;
  readonly polls: ReadonlyMap<PollId, ShownPoll>;
  readonly replies: ReadonlyMap<StatusId, readonly { readonly uri: string }[]>;
  readonly collections: ReadonlyMap<StatusId, readonly LinkedCollection[]>;
}

/**
 * The documents of these local statuses (no reblogs), without their context (`noteContext`), whoever may see them; in
 * seven queries however many there are.
 */
export async function noteDocuments(app: App, ids: readonly StatusId[]): Promise<Map<StatusId, Json>> {
  const rows = ids.length === 0 ? [] : await noteRows(app, ids);
  if (rows.length === 0) return new Map();
  const [mentions, tags, media, polls, replies, collections] = await Promise.all([
    mentionRows(app, ids),
    tagRows(app, ids),
    attachments(app, rows),
    findPolls(
      app,
      rows.flatMap(({ poll_id }) => poll_id ?? []),
    ),
    selfReplies(app, ids),
    linkedCollections(app, ids),
  ]);
  const emojis = await emojiTags(
    app,
    rows.map((row) => [row.spoiler_text, row.content, ...((row.poll_id && polls.get(row.poll_id)?.options) ?? [])]),
  );
  const parts: Parts = {
    emojis: new Map(rows.map(({ id }, place) => [id, emojis[place] ?? []])),
    mentions: Map.groupBy(mentions, ({ status_id: id }) => id),
    tags: Map.groupBy(tags, ({ status_id: id }) => id),
    media,
    polls,
    replies: Map.groupBy(replies, ({ parent_id: id }) => id),
    collections: Map.groupBy(collections, ({ status_id: id }) => id),
  };
  return new Map(rows.map((row) => [row.id, note(app, row, parts)]));
}

function note(app: App, row: NoteRow, parts: Parts): Json {
  const mentions = parts.mentions.get(row.id) ?? [];
  const poll = row.poll_id === null ? undefined : parts.polls.get(row.poll_id);
  const { followers } = actorUrls(app, row.username);
  const audience = audienceOf(
    row.visibility,
    followers,
    mentions.map(({ uri }) => uri),
  );
  return {
    id: row.uri,
    ...(poll === undefined ? { type: 'Note' } : question(poll, app.clock.now())),
    summary: row.spoiler_text === '' ? null : row.spoiler_text,
    inReplyTo: row.parent_uri,
    published: instant(row.created_at),
    ...(row.edited_at !== null && { updated: instant(row.edited_at) }),
    url: row.url,
    attributedTo: row.actor_uri,
    ...audience,
    sensitive: row.sensitive,
    atomUri: row.uri,
    inReplyToAtomUri: row.parent_uri,
    conversation: conversationUri(app, row),
    ...(row.begun_here === true && row.conversation_id !== null && { context: contextUri(app, row.conversation_id) }),
    content: row.content,
    ...(row.language !== null && { contentMap: { [row.language]: row.content } }),
    ...(row.content_type !== null && { source: { content: row.text, mediaType: row.content_type } }),
    attachment: row.media_ids.flatMap((id) => parts.media.get(id) ?? []),
    tag: [
      ...mentions.filter(({ silent }) => !silent).map((mention) => mentionTag(app, mention)),
      ...(parts.tags.get(row.id) ?? []).map((tag) => hashtag(app, tag)),
      ...(parts.emojis.get(row.id) ?? []),
      ...(parts.collections.get(row.id) ?? []).map(collectionTag),
    ],
    ...quoteOf(row),
    interactionPolicy: interactionPolicy(row.quote_policy, row.actor_uri, followers),
    replies: replies(row, parts),
    likes: { id: `${row.uri}/likes`, type: 'Collection', totalItems: row.favourites_count },
    shares: { id: `${row.uri}/shares`, type: 'Collection', totalItems: row.reblogs_count },
  };
}

function quoteOf(row: NoteRow): Json {
  const { quote_id: id, quote_state: state, quoted_uri: uri } = row;
  if (id === null || state === null || uri === null) return {};
  const { quoted_actor: actor, approval_uri: approvalUri, quoted_visibility: visibility } = row;
  const author = actor === null ? undefined : { uri: actor, local: row.quoted_local === true };
  const gone = state === 'deleted' || row.quoted_gone;
  return quoteMembers({ id, state, uri, gone, approvalUri, author, visibility });
}

function conversationUri(app: App, row: NoteRow): string | null {
  if (row.conversation_uri !== null) return row.conversation_uri;
  if (row.conversation_id === null) return null;
  const day = (row.conversation_created_at ?? row.created_at).toISOString().slice(0, 10);
  return `tag:${app.config.domain},${day}:objectId=${row.conversation_id}:objectType=Conversation`;
}

function mentionTag(app: App, { uri, username, domain }: Mentioned): Json {
  return { type: 'Mention', href: uri, name: `@${username}@${domain ?? app.config.domain}` };
}

function replies({ id, uri }: NoteRow, parts: Parts): Json {
  const own = (parts.replies.get(id) ?? []).slice(0, 5).map((reply) => reply.uri);
  return {
    id: `${uri}/replies`,
    type: 'Collection',
    first: {
      type: 'CollectionPage',
      next: `${uri}/replies?only_other_accounts=true&page=true`,
      partOf: `${uri}/replies`,
      items: own,
    },
  };
}

function noteRows(app: App, ids: readonly StatusId[]): Promise<NoteRow[]> {
  return app.db
    .selectFrom('statuses as status')
    .innerJoin('accounts as author', 'author.id', 'status.account_id')
    .leftJoin('statuses as parent', 'parent.id', 'status.in_reply_to_id')
    .leftJoin('conversations as conversation', 'conversation.id', 'status.conversation_id')
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
      'status.visibility',
      'parent.uri as parent_uri',
      'status.conversation_id',
      'conversation.uri as conversation_uri',
      'conversation.created_at as conversation_created_at',
      'status.media_ids',
      'status.poll_id',
      'status.created_at',
      'status.edited_at',
      'status.quote_policy',
      'quote.id as quote_id',
      'quote.state as quote_state',
      'quote.quoted_uri',
      'quote.approval_uri',
      'quoted.visibility as quoted_visibility',
      'quoted.local as quoted_local',
      'quoted_author.uri as quoted_actor',
    ])
    .select((eb) => [
      sql<boolean | null>`(
        select root.local and not root.is_reply and root.visibility in ('public', 'unlisted') from statuses root
        where root.conversation_id = status.conversation_id and root.deleted_at is null order by root.id limit 1
      )`.as('begun_here'),
      eb.fn.coalesce('stats.favourites_count', sql<number>`0`).as('favourites_count'),
      eb.fn.coalesce('stats.reblogs_count', sql<number>`0`).as('reblogs_count'),
      sql<boolean>`quoted.deleted_at is not null`.as('quoted_gone'),
    ])
    .where(sql<boolean>`status.id = any(${ids}::bigint[])`)
    .where('status.local', '=', true)
    .where('status.reblog_of_id', 'is', null)
    .where('status.deleted_at', 'is', null)
    .execute();
}

function collectionTag({ uri, url, name }: LinkedCollection): Json {
  return { id: uri, type: 'FeaturedCollection', href: url ?? uri, name };
}

function linkedCollections(app: App, ids: readonly StatusId[]): Promise<LinkedCollection[]> {
  return app.db
    .selectFrom('tagged_collections as tagged')
    .innerJoin('collections', 'collections.id', 'tagged.collection_id')
    .select(['tagged.status_id', 'collections.uri', 'collections.url', 'collections.name'])
    .where(sql<boolean>`tagged.status_id = any(${ids}::bigint[])`)
    .orderBy('collections.id')
    .execute();
}

function mentionRows(app: App, ids: readonly StatusId[]): Promise<Mentioned[]> {
  return app.db
    .selectFrom('mentions')
    .innerJoin('accounts', 'accounts.id', 'mentions.account_id')
    .select(['mentions.status_id', 'accounts.uri', 'accounts.username', 'accounts.domain', 'mentions.silent'])
    .where(sql<boolean>`mentions.status_id = any(${ids}::bigint[])`)
    .orderBy('mentions.id')
    .execute();
}

function tagRows(
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

function selfReplies(app: App, ids: readonly StatusId[]): Promise<{ parent_id: StatusId; uri: string }[]> {
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

async function attachments(app: App, rows: readonly NoteRow[]): Promise<Map<MediaId, Json>> {
  const ids = rows.flatMap(({ media_ids: media }) => media);
  if (ids.length === 0) return new Map();
  const media = await app.db
    .selectFrom('media_attachments')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
  const presented = presentMedia(app, media);
  return new Map(
    presented.map((item) => [
      item.id,
      attachment(
        item,
        media.find(({ id }) => id === item.id),
      ),
    ]),
  );
}

type Presented = ReturnType<typeof presentMedia>[number];

function attachment(item: Presented, row: Selectable<MediaTables['media_attachments']> | undefined): Json {
  const meta = row?.meta as
    | { original?: { width?: number; height?: number }; focus?: { x: number; y: number } }
    | null
    | undefined;
  const { width, height } = meta?.original ?? {};
  return {
    type: 'Document',
    mediaType: row?.content_type ?? 'application/octet-stream',
    url: item.url,
    name: item.description,
    ...(meta?.focus && { focalPoint: [meta.focus.x, meta.focus.y] }),
    ...(item.blurhash !== null && { blurhash: item.blurhash }),
    ...(width !== undefined && height !== undefined && { width, height }),
  };
}
