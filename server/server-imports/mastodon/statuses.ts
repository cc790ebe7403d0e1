import pg from 'pg';
import { cleanText, limitHtml, maxHtmlBytes, sanitizeHtml } from '../../text/index.ts';
import { formatText, type MentionLink } from '../../text/format/index.ts';
import { textOf, type ImportedRow, type RemotePosts, type TableImport } from '../table-import.ts';
import { same } from '../columns.ts';
import { isNeededPost, type HasTable } from './needed.ts';
import { enumName, localActorUri, type SiteAddress } from './site-address.ts';

const visibility = enumName('s.visibility', { 0: 'public', 1: 'unlisted', 2: 'private', 3: 'direct', 4: 'direct' });

/** The accounts that the text of a local post names, for its links. */
const mentionsOf = (
  status: string,
): string => `(select json_agg(json_build_object('username', m.username, 'domain', m.domain, 'url', coalesce(m.url, m.uri)))
  from mentions n join accounts m on m.id = n.account_id where n.status_id = ${status})`;

const isDeleted = 's.deleted_at is not null';

/**
 * Returns the code that completes the texts of a post: the formatted text of local posts, and safe HTML of remote ones, which
 * Mastodon sanitises when it shows them.
 */
function completeText(site: SiteAddress): (row: ImportedRow) => ImportedRow {
  const hashtagUrl = (name: string): string => `${site.baseUrl}/tags/${encodeURIComponent(name)}`;
  const maxBytes = maxHtmlBytes - 8_192;
  return ({ is_local: isLocal, mentions, ...row }) => {
    const text = textOf(row, 'text');
    const spoilerText = cleanText(textOf(row, 'spoiler_text'));
    if (isLocal !== true) return { ...row, text: '', content: sanitizeHtml(text), spoiler_text: spoilerText };
    const html = formatText(text, { mentions: mentionLinks(site, mentions), hashtagUrl });
    return {
      ...row,
      content: Buffer.byteLength(html) > maxBytes ? limitHtml(html, maxBytes) : html,
      spoiler_text: spoilerText,
    };
  };
}

interface Mentioned {
  readonly username: string;
  readonly domain: string | null;
  readonly url: string | null;
}

function mentionLinks(site: SiteAddress, mentions: unknown): Map<string, MentionLink> {
  const links = new Map<string, MentionLink>();
  for (const { username, domain, url } of (mentions ?? []) as readonly Mentioned[]) {
    const link: MentionLink = {
      username,
      acct: domain === null ? username : `${username}@${domain}`,
      url: domain === null ? `${site.baseUrl}/@${username}` : (url ?? ''),
    };
    const name = username.toLowerCase();
    if (domain === null) links.set(name, link).set(`${name}@${site.domain}`, link);
    else links.set(`${name}@${domain.toLowerCase()}`, link);
  }
  return links;
}

const localStatusUri = (site: SiteAddress): string =>
  `${localActorUri(site)} || '/statuses/' || s.id || case when s.reblog_of_id is not null then '/activity' else '' end`;

/** Posts with what belongs to them. */
export function statusTables(site: SiteAddress, remote: RemotePosts, hasTable: HasTable): readonly TableImport[] {
  const base = pg.escapeLiteral(site.baseUrl);
  const posts = (name: string, only: string): TableImport => ({
    name,
    from: 'statuses',
    into: 'statuses',
    only,
    join: 'join accounts a on a.id = s.account_id',
    added: { quote_approval_policy: '0' },
    leftOut: {
      'deleted, and waiting for removal': isDeleted,
      ...(remote === 'needed' && {
        'remote posts that no local account has to do with': `not (${isNeededPost('s', hasTable)})`,
      }),
    },
    columns: {
      ...same(
        'id',
        'account_id',
        'text',
        'spoiler_text',
        'sensitive',
        'language',
        'in_reply_to_account_id',
        'reblog_of_id',
      ),
      ...same('application_id', 'poll_id', 'created_at', 'edited_at'),
      uri: `case when a.domain is null and s.uri is null then ${localStatusUri(site)} else s.uri end`,
      url: `case when s.reblog_of_id is not null then case when a.domain is null and s.uri is null then ${localStatusUri(site)} else s.uri end
        when a.domain is null then ${base} || '/@' || a.username || '/' || s.id else s.url end`,
      local: 'a.domain is null',
      content: `''`,
      visibility,
      // Replies to later ids follow in a step of their own.
      in_reply_to_id: 'case when s.in_reply_to_id < s.id then s.in_reply_to_id end',
      is_reply: 's.reply and s.in_reply_to_account_id is distinct from s.account_id',
      conversation_id: 'case when s.reblog_of_id is null then s.conversation_id end',
      media_ids: mediaIds,
      has_media: `cardinality(${mediaIds}) > 0`,
      // The upper half names who may quote at once, the lower half who may ask.
      quote_policy:
        '((coalesce(s.quote_approval_policy, 0) >> 16) & 15) | ((coalesce(s.quote_approval_policy, 0) & 15) << 4)',
    },
    helpers: {
      is_local: 'a.domain is null',
      mentions: `case when a.domain is null and s.text like '%@%' then ${mentionsOf('s.id')} end`,
    },
    prepare: completeText(site),
  });
  return [
    {
      name: 'conversations',
      from: 'conversations',
      into: 'conversations',
      columns: { ...same('id', 'created_at'), uri: `nullif(s.uri, '')` },
    },
    posts('posts', 's.reblog_of_id is null or s.reblog_of_id < s.id'),
    posts('reblogs of posts with later ids', 's.reblog_of_id > s.id'),
    {
      name: 'replies to posts with later ids',
      from: 'statuses',
      into: 'statuses',
      only: 's.in_reply_to_id > s.id',
      leftOut: { 'deleted, and waiting for removal': isDeleted },
      columns: same('id', 'in_reply_to_id'),
      isUpdate: true,
    },
    ...partsOfStatuses(site),
    ...reactionTables,
  ];
}

const mediaIds = `coalesce(s.ordered_media_attachment_ids,
  (select array_agg(m.id order by m.id) from media_attachments m where m.status_id = s.id), '{}')`;

function partsOfStatuses(site: SiteAddress): readonly TableImport[] {
  return [
    {
      name: 'counters of posts',
      from: 'status_stats',
      into: 'status_stats',
      added: { quotes_count: '0' },
      targetKey: undefined,
      conflictKey: ['status_id'],
      columns: {
        status_id: 's.status_id',
        replies_count: 'greatest(s.replies_count, 0)',
        reblogs_count: 'greatest(s.reblogs_count, 0)',
        favourites_count: 'greatest(s.favourites_count, 0)',
        quotes_count: 'greatest(s.quotes_count, 0)',
      },
    },
    {
      name: 'mentions',
      from: 'mentions',
      into: 'mentions',
      columns: same('id', 'status_id', 'account_id', 'silent'),
    },
    {
      name: 'polls',
      from: 'polls',
      into: 'polls',
      columns: {
        ...same(
          'id',
          'status_id',
          'account_id',
          'options',
          'multiple',
          'hide_totals',
          'expires_at',
          'voters_count',
          'created_at',
        ),
        tallies: `case when cardinality(s.cached_tallies) = cardinality(s.options) then s.cached_tallies::integer[]
          else array_fill(0, array[cardinality(s.options)]) end`,
        ended_at: `case when s.expires_at <= now() at time zone 'UTC' then s.expires_at end`,
      },
    },
    {
      name: 'votes',
      from: 'poll_votes',
      into: 'poll_votes',
      columns: same('id', 'poll_id', 'account_id', 'choice', 'created_at'),
    },
    {
      name: 'quotes',
      from: 'quotes',
      into: 'quotes',
      isNewTable: true,
      added: { legacy: 'false' },
      join: 'join statuses q on q.id = s.quoted_status_id join accounts a on a.id = q.account_id',
      leftOut: { 'the quoted post is not known': 's.quoted_status_id is null' },
      columns: {
        ...same('id', 'status_id', 'account_id', 'quoted_status_id', 'quoted_account_id', 'legacy', 'created_at'),
        quoted_uri: `coalesce(q.uri, case when a.domain is null then ${localActorUri(site)} || '/statuses/' || q.id end, '')`,
        state: enumName('s.state', { 0: 'pending', 1: 'accepted', 2: 'rejected', 3: 'revoked', 4: 'deleted' }),
        // Those of local authors have our address, from the id.
        approval_uri: `case when a.domain is not null then nullif(s.approval_uri, '') end`,
      },
    },
    {
      name: 'versions of edited posts',
      from: 'status_edits',
      into: 'status_edits',
      join: 'join statuses p on p.id = s.status_id join accounts a on a.id = p.account_id',
      added: { quote_id: 'null::bigint' },
      columns: {
        ...same('id', 'status_id', 'text', 'spoiler_text', 'quote_id', 'created_at'),
        content: `''`,
        sensitive: 'coalesce(s.sensitive, p.sensitive)',
        media_ids: `coalesce(s.ordered_media_attachment_ids, '{}')`,
        media_descriptions: `coalesce((select array_agg(coalesce(d, '') order by n) from unnest(s.media_descriptions) with ordinality u(d, n)), '{}')`,
        poll_options: 's.poll_options',
      },
      helpers: {
        is_local: 'a.domain is null',
        mentions: `case when a.domain is null and s.text like '%@%' then ${mentionsOf('s.status_id')} end`,
      },
      prepare: completeText(site),
    },
    {
      name: 'hashtags of posts',
      from: 'statuses_tags',
      into: 'status_tags',
      key: ['tag_id', 'status_id'],
      changed: 's.status_id in (select id from statuses where updated_at >= $since)',
      columns: same('tag_id', 'status_id'),
    },
  ];
}

const reactionTables: readonly TableImport[] = [
  {
    name: 'tombstones',
    from: 'tombstones',
    into: 'tombstones',
    targetKey: undefined,
    conflictKey: ['uri'],
    columns: same('uri', 'created_at'),
  },
  {
    name: 'favourites',
    from: 'favourites',
    into: 'favourites',
    columns: same('id', 'account_id', 'status_id', 'created_at'),
  },
  {
    name: 'bookmarks',
    from: 'bookmarks',
    into: 'bookmarks',
    columns: same('id', 'account_id', 'status_id', 'created_at'),
  },
  {
    name: 'pinned posts',
    from: 'status_pins',
    into: 'status_pins',
    columns: same('id', 'account_id', 'status_id', 'created_at'),
  },
];
