import pg from 'pg';
import { cleanText, htmlToText, limitHtml, maxHtmlBytes, sanitizeHtml } from '../../text/index.ts';
import { same } from '../columns.ts';
import { textOf, type ImportedRow, type RemotePosts, type TableImport } from '../table-import.ts';
import type { SiteAddress } from './accounts.ts';
import { encodePolicy } from './interaction-policies.ts';
import { isNeededPost } from './needed.ts';
import { arrayOf, changedInCopy, idOf, idsOf, privacyOf, textsOf } from './references.ts';

const privacy = privacyOf('s.visibility');
const visibility = `case when s.federated is false and s.local and ${privacy} <> 'direct' then 'local_' || ${privacy} else ${privacy} end`;
const mediaIds = idsOf('s.attachments');
const markdown = (alias: string): string =>
  `case when ${alias}.content_type in ('2', 'text/markdown') then 'text/markdown' end`;
const waits = 's.pending_approval';
/** A reply that waits for a local author is stored, visible to that author only. Its request has its visibility. */
const waitsHere = `(s.pending_approval and coalesce(s.boost_of_id, '') = '' and s.in_reply_to_id <> ''
  and exists (select from accounts l where l.ulid = s.in_reply_to_account_id and l.domain is null))`;
const waitsElsewhere = `s.pending_approval and not ${waitsHere}`;

/** Completes a post, or a version of one: GoToSocial sanitises HTML as well, but allows other elements. */
function completePost({ warning, policy, ...row }: ImportedRow): ImportedRow {
  const html = sanitizeHtml(textOf(row, 'content'));
  const spoilerText = textOf(row, 'spoiler_text') || htmlToText(textOf({ warning }, 'warning'));
  return {
    ...row,
    content: Buffer.byteLength(html) > maxHtmlBytes ? limitHtml(html, maxHtmlBytes) : html,
    spoiler_text: cleanText(spoilerText),
    ...(policy !== undefined && { interaction_policy: encodePolicy(policy) }),
  };
}

/** Posts with what belongs to them. */
export function statusTables({ baseUrl }: SiteAddress, remote: RemotePosts): readonly TableImport[] {
  const base = pg.escapeLiteral(baseUrl);
  const posts = (name: string, only: string): TableImport => ({
    name,
    from: 'statuses',
    into: 'statuses',
    only,
    join: 'join accounts a on a.ulid = s.account_id',
    changed: changedInCopy,
    leftOut: {
      'boosts that wait for the approval of an author, and replies to others': waitsElsewhere,
      'boosts of posts that are gone': `s.boost_of_id <> '' and ${idOf('s.boost_of_id')} is null`,
      ...(remote === 'needed' && { 'remote posts that no local account has to do with': `not (${isNeededPost('s')})` }),
    },
    columns: {
      ...same('id', 'uri', 'created_at', 'edited_at'),
      account_id: 'a.id',
      url: `case when s.boost_of_id <> '' then s.uri when s.local then ${base} || '/@' || a.username || '/' || s.id else s.url end`,
      local: 'coalesce(s.local, false)',
      text: `case when s.local then coalesce(s.text, '') else '' end`,
      content_type: `case when s.local then ${markdown('s')} end`,
      content: `coalesce(s.content, '')`,
      spoiler_text: `case when s.local then coalesce(s.content_warning_text, '') else '' end`,
      sensitive: 'coalesce(s.sensitive, false)',
      language: `nullif(s.language, '')`,
      visibility: `case when ${waitsHere} then 'direct' else ${visibility} end`,
      // Replies to later ids follow in a step of their own.
      in_reply_to_id: `(select i.id from ids i where i.ulid = s.in_reply_to_id and i.id < s.id)`,
      in_reply_to_account_id: idOf('s.in_reply_to_account_id'),
      is_reply: `(coalesce(s.in_reply_to_uri, s.in_reply_to_id, '') <> '' and s.in_reply_to_account_id is distinct from s.account_id)`,
      reblog_of_id: idOf('s.boost_of_id'),
      conversation_id: `case when s.boost_of_id is null then ${idOf('s.thread_id')} end`,
      application_id: idOf('s.created_with_application_id'),
      poll_id: idOf('s.poll_id'),
      media_ids: mediaIds,
      has_media: `cardinality(${mediaIds}) > 0`,
      interaction_policy: 'null::int',
    },
    helpers: { warning: 's.content_warning', policy: 's.interaction_policy' },
    prepare: completePost,
  });
  const isLater = '(select b.id from statuses b where b.ulid = s.boost_of_id) > s.id';
  return [
    {
      name: 'threads',
      from: 'threads',
      into: 'conversations',
      changed: changedInCopy,
      columns: { id: 's.id', created_at: 'to_timestamp((s.id >> 16) / 1000.0)' },
    },
    posts('posts', `(${isLater}) is not true`),
    posts('boosts of posts with later ids', isLater),
    {
      name: 'replies to posts with later ids',
      from: 'statuses',
      into: 'statuses',
      only: `${idOf('s.in_reply_to_id')} > s.id`,
      leftOut: { 'boosts that wait for the approval of an author, and replies to others': waitsElsewhere },
      changed: changedInCopy,
      columns: { id: 's.id', in_reply_to_id: idOf('s.in_reply_to_id') },
      isUpdate: true,
    },
    ...partsOfStatuses,
    ...versionTables,
    ...reactionTables,
  ];
}

const partsOfStatuses: readonly TableImport[] = [
  {
    name: 'counters of posts',
    from: 'status_counts',
    into: 'status_stats',
    changed: 'true',
    targetKey: undefined,
    conflictKey: ['status_id'],
    columns: {
      status_id: 's.id',
      replies_count: 's.replies',
      reblogs_count: 's.reblogs',
      favourites_count: 's.favourites',
    },
  },
  {
    name: 'mentions',
    from: 'mentions',
    into: 'mentions',
    leftOut: {
      'of replies that wait for the approval of an author': `exists (select from statuses p where p.ulid = s.status_id
        and p.pending_approval and p.in_reply_to_account_id is distinct from s.target_account_id)`,
    },
    changed: changedInCopy,
    columns: {
      id: 's.id',
      status_id: idOf('s.status_id'),
      account_id: idOf('s.target_account_id'),
      silent: 'coalesce(s.silent, false)',
    },
  },
  {
    name: 'polls',
    from: 'polls',
    into: 'polls',
    join: 'join statuses p on p.ulid = s.status_id',
    leftOut: { 'of posts that are gone': 'not exists (select from statuses p where p.ulid = s.status_id)' },
    changed: changedInCopy,
    columns: {
      ...same('id', 'expires_at'),
      status_id: 'p.id',
      account_id: idOf('p.account_id'),
      options: textsOf('s.options'),
      multiple: 'coalesce(s.multiple, false)',
      hide_totals: 'coalesce(s.hide_counts, false)',
      voters_count: 'coalesce(s.voters, 0)::int',
      tallies: `case when jsonb_array_length(${arrayOf('s.votes')}) = jsonb_array_length(${arrayOf('s.options')})
        then ${textsOf('s.votes')}::int[] else array_fill(0, array[jsonb_array_length(${arrayOf('s.options')})]) end`,
      ended_at: `coalesce(s.closed_at, case when s.expires_at <= now() then s.expires_at end)`,
      created_at: 'p.created_at',
    },
  },
  {
    name: 'votes',
    from: 'poll_votes',
    into: 'poll_votes',
    join: `cross join lateral jsonb_array_elements_text(${arrayOf('s.choices')}) with ordinality c(choice, n)`,
    rowsEach: `jsonb_array_length(${arrayOf('s.choices')})`,
    changed: changedInCopy,
    targetKey: undefined,
    conflictKey: ['poll_id', 'account_id', 'choice'],
    columns: {
      // Further choices of a voter have the ids after the first.
      id: 's.id + c.n - 1',
      poll_id: idOf('s.poll_id'),
      account_id: idOf('s.account_id'),
      choice: 'c.choice::int',
      created_at: 's.created_at',
    },
  },
  {
    name: 'hashtags of posts',
    from: 'status_to_tags',
    into: 'status_tags',
    isRebuilt: true,
    targetKey: undefined,
    columns: { tag_id: idOf('s.tag_id'), status_id: idOf('s.status_id') },
  },
];

/** GoToSocial keeps former versions only; here the current one is among them. */
const versionTables: readonly TableImport[] = [
  {
    name: 'former versions of posts',
    from: 'status_edits',
    into: 'status_edits',
    changed: changedInCopy,
    // Two tables of the source become this one. Versions are deleted with their post.
    targetKey: undefined,
    conflictKey: ['id'],
    columns: {
      ...same('id', 'created_at'),
      status_id: idOf('s.status_id'),
      text: `coalesce(s.text, '')`,
      content_type: markdown('s'),
      content: `coalesce(s.content, '')`,
      spoiler_text: `''`,
      sensitive: 'coalesce(s.sensitive, false)',
      media_ids: mediaIds,
      media_descriptions: textsOf('s.attachment_descriptions'),
      poll_options: `case when jsonb_array_length(${arrayOf('s.poll_options')}) > 0 then ${textsOf('s.poll_options')} end`,
    },
    helpers: { warning: 's.content_warning' },
    prepare: completePost,
  },
  {
    name: 'current versions of edited posts',
    from: 'statuses',
    into: 'status_edits',
    only: 's.edited_at is not null and exists (select from status_edits e where e.status_id = s.ulid)',
    changed: changedInCopy,
    targetKey: undefined,
    conflictKey: ['id'],
    columns: {
      id: 's.id',
      created_at: 's.edited_at',
      status_id: 's.id',
      text: `case when s.local then coalesce(s.text, '') else '' end`,
      content_type: markdown('s'),
      content: `coalesce(s.content, '')`,
      spoiler_text: `case when s.local then coalesce(s.content_warning_text, '') else '' end`,
      sensitive: 'coalesce(s.sensitive, false)',
      media_ids: mediaIds,
      media_descriptions: `(select coalesce(array_agg(coalesce(m.description, '') order by n), '{}') from jsonb_array_elements_text(${arrayOf('s.attachments')})
        with ordinality e(ulid, n) join media_attachments m on m.ulid = e.ulid)`,
      poll_options: `(select ${textsOf('p.options')} from polls p where p.ulid = s.poll_id)`,
    },
    helpers: { warning: 's.content_warning' },
    prepare: completePost,
  },
];

const reactionTables: readonly TableImport[] = [
  {
    name: 'tombstones',
    from: 'tombstones',
    into: 'tombstones',
    changed: changedInCopy,
    targetKey: undefined,
    conflictKey: ['uri'],
    columns: same('uri', 'created_at'),
  },
  {
    name: 'favourites',
    from: 'status_faves',
    into: 'favourites',
    leftOut: { 'wait for the approval of an author': waits },
    changed: changedInCopy,
    columns: {
      ...same('id', 'created_at'),
      account_id: idOf('s.account_id'),
      status_id: idOf('s.status_id'),
    },
  },
  {
    name: 'bookmarks',
    from: 'status_bookmarks',
    into: 'bookmarks',
    changed: changedInCopy,
    columns: {
      ...same('id', 'created_at'),
      account_id: idOf('s.account_id'),
      status_id: idOf('s.status_id'),
    },
  },
  {
    name: 'pinned posts',
    from: 'statuses',
    into: 'status_pins',
    only: 's.pinned_at is not null',
    changed: changedInCopy,
    columns: { id: 's.id', account_id: idOf('s.account_id'), status_id: 's.id', created_at: 's.pinned_at' },
  },
];
