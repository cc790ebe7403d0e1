import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { MediaId, PollId, StatusId } from '../../platform/ids.ts';
import { loadPolls, type PollWithEmojis } from '../../polls/read/index.ts';
import { staysHere, visibilityToOthers } from '../../statuses/visibility/index.ts';
import { audienceOf } from './activities.ts';
import { authorizationProperties } from './approval-documents.ts';
import { attachmentDocuments } from './attachment-documents.ts';
import { collectionPage } from './collections.ts';
import { contextUri } from './context-uri.ts';
import { emojiTags } from './emoji-documents.ts';
import { hashtag } from './hashtag.ts';
import {
  listMentionsOfFollowers,
  loadLinkedCollections,
  loadMentionRows,
  loadNoteRows,
  loadSelfReplies,
  loadTagRows,
  type LinkedCollection,
  type MentionRow,
  type NoteRow,
} from './load-note-rows.ts';
import { pollProperties } from './poll-properties.ts';
import { policyProperties } from './policy-documents.ts';
import { quoteProperties } from './quote-documents.ts';
import type { Json } from './values.ts';

interface NoteParts {
  readonly mentions: ReadonlyMap<StatusId, readonly MentionRow[]>;
  /** Ids of mentions: the only ones that silenced authors address. */
  readonly followers: ReadonlySet<string>;
  readonly tags: ReadonlyMap<StatusId, readonly { readonly name: string; readonly display_name: string }[]>;
  readonly media: ReadonlyMap<MediaId, Json>;
  readonly emojis: ReadonlyMap<StatusId, readonly Json[]>;
  readonly polls: ReadonlyMap<PollId, PollWithEmojis>;
  readonly replies: ReadonlyMap<StatusId, readonly { readonly id: StatusId; readonly uri: string }[]>;
  readonly collections: ReadonlyMap<StatusId, readonly LinkedCollection[]>;
}

/**
 * Returns the documents of local statuses (no reblogs) without their context (`noteContext`), in seven queries, and
 * one more for silenced authors: their public posts are unlisted, and they address only mentioned accounts that follow
 * them. Leaves out local-only posts unless asked for them, and does not check visibility otherwise.
 */
export async function noteDocuments(
  app: App,
  ids: readonly StatusId[],
  { withLocalOnly = false } = {},
): Promise<Map<StatusId, Json>> {
  const all = ids.length === 0 ? [] : await loadNoteRows(app, { ids });
  const rows = withLocalOnly ? all : all.filter(({ visibility }) => !staysHere(visibility));
  if (rows.length === 0) return new Map();
  const silencedIds = rows.flatMap((row) => (row.author_silenced ? row.id : []));
  const [mentions, followers, tags, media, polls, replies, collections] = await Promise.all([
    loadMentionRows(app, ids),
    silencedIds.length === 0 ? new Set<string>() : listMentionsOfFollowers(app, silencedIds),
    loadTagRows(app, ids),
    attachmentDocuments(
      app,
      rows.flatMap(({ media_ids }) => media_ids),
    ),
    loadPolls(
      app,
      rows.flatMap(({ poll_id }) => poll_id ?? []),
    ),
    loadSelfReplies(app, ids),
    loadLinkedCollections(app, ids),
  ]);
  const emojis = await emojiTags(
    app,
    rows.map((row) => [row.spoiler_text, row.content, ...((row.poll_id && polls.get(row.poll_id)?.options) ?? [])]),
  );
  const parts: NoteParts = {
    followers,
    emojis: new Map(rows.map(({ id }, place) => [id, emojis[place] ?? []])),
    mentions: Map.groupBy(mentions, ({ status_id: id }) => id),
    tags: Map.groupBy(tags, ({ status_id: id }) => id),
    media,
    polls,
    replies: Map.groupBy(replies, ({ parent_id: id }) => id),
    collections: Map.groupBy(collections, ({ status_id: id }) => id),
  };
  return new Map(rows.map((row) => [row.id, buildNote(app, row, parts)]));
}

function buildNote(app: App, row: NoteRow, parts: NoteParts): Json {
  const mentions = parts.mentions.get(row.id) ?? [];
  const poll = row.poll_id === null ? undefined : parts.polls.get(row.poll_id);
  const { followers } = actorUrls(app, row.actor_uri);
  const audience = audienceOf(
    visibilityToOthers(row.visibility, { silenced: row.author_silenced }),
    followers,
    mentions.flatMap(({ id, uri }) => (row.author_silenced && !parts.followers.has(id) ? [] : uri)),
  );
  return {
    id: row.uri,
    ...(poll === undefined ? { type: 'Note' } : pollProperties(poll, app.clock.now())),
    summary: row.spoiler_text === '' ? null : row.spoiler_text,
    inReplyTo: row.parent_uri,
    // With milliseconds, by which other servers sort the posts of a thread.
    published: row.created_at.toISOString(),
    ...(row.edited_at !== null && { updated: row.edited_at.toISOString() }),
    url: row.url,
    attributedTo: row.actor_uri,
    ...audience,
    sensitive: row.sensitive || row.author_sensitized,
    atomUri: row.uri,
    inReplyToAtomUri: row.parent_uri,
    conversation: conversationUri(app, row),
    ...(row.is_local_conversation === true &&
      row.conversation_id !== null && { context: contextUri(app, row.conversation_id) }),
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
    ...quotePropertiesOf(row),
    ...replyAuthorizationOf(row),
    interactionPolicy: policyProperties(row, {
      actor: row.actor_uri,
      ...actorUrls(app, row.actor_uri),
      mentioned: [...new Set([...mentions.map(({ uri }) => uri), ...(row.replied_actor ?? [])].flat())],
    }),
    replies: repliesCollection(row, parts),
    likes: { id: `${row.uri}/likes`, type: 'Collection', totalItems: row.favourites_count ?? 0 },
    shares: { id: `${row.uri}/shares`, type: 'Collection', totalItems: row.reblogs_count ?? 0 },
  };
}

function quotePropertiesOf(row: NoteRow): Json {
  const { quote_id: id, quote_state: state, quoted_uri: uri } = row;
  if (id === null || state === null || uri === null) return {};
  const { quoted_actor: actor, approval_uri: approvalUri, quoted_visibility: visibility } = row;
  const author = actor === null ? undefined : { uri: actor, local: row.quoted_local === true };
  const gone = state === 'deleted' || row.quoted_gone;
  return quoteProperties({ id, state, uri, gone, approvalUri, author, visibility });
}

function replyAuthorizationOf(row: NoteRow): Json {
  const { request_id: id, request_state: state, request_author: author, request_author_domain: domain } = row;
  if (id === null || author === null || state !== 'accepted') return {};
  return authorizationProperties('reply', { id, author, domain, authorizationUri: row.request_authorization });
}

function conversationUri(app: App, row: NoteRow): string | null {
  if (row.conversation_uri !== null) return row.conversation_uri;
  if (row.conversation_id === null) return null;
  const day = (row.conversation_created_at ?? row.created_at).toISOString().slice(0, 10);
  return `tag:${app.config.domain},${day}:objectId=${row.conversation_id}:objectType=Conversation`;
}

function mentionTag(app: App, { uri, username, domain }: MentionRow): Json {
  return { type: 'Mention', href: uri, name: `@${username}@${domain ?? app.config.domain}` };
}

/** `next` continues after the embedded replies: with further ones of the author, then with those of other accounts. */
function repliesCollection({ id: statusId, uri, replies_count: count }: NoteRow, parts: NoteParts): Json {
  const selfReplies = (parts.replies.get(statusId) ?? []).slice(0, 5);
  const last = selfReplies.at(-1);
  const id = `${uri}/replies`;
  const first = collectionPage(
    {
      id: `${id}?page=true`,
      partOf: id,
      items: selfReplies.map((reply) => reply.uri),
      next: `${id}?${last === undefined ? 'only_other_accounts=true' : `min_id=${last.id}`}&page=true`,
    },
    false,
  );
  return { id, type: 'Collection', totalItems: count ?? 0, first };
}

function collectionTag({ uri, url, name }: LinkedCollection): Json {
  return { id: uri, type: 'FeaturedCollection', href: url ?? uri, name };
}
