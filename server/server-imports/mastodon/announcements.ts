import { formatText, parseText } from '../../text/format/index.ts';
import { textOf, type TableImport } from '../table-import.ts';
import { same } from '../columns.ts';
import { staffMarkdown } from './settings.ts';
import { enumName, type SiteAddress } from './site-address.ts';

/** Announcements, and the terms of service. */
export function announcementTables(site: SiteAddress): readonly TableImport[] {
  return [
    {
      name: 'announcements',
      from: 'announcements',
      into: 'announcements',
      columns: {
        ...same('id', 'text', 'starts_at', 'ends_at', 'all_day', 'scheduled_at', 'created_at', 'updated_at'),
        content: `''`,
        mentioned_ids: `'{}'::bigint[]`,
        tag_names: `'{}'::text[]`,
        status_ids: `coalesce(s.status_ids, '{}')`,
        draft: 'not s.published and s.scheduled_at is null',
        published_at: 'case when s.published then coalesce(s.published_at, s.updated_at) end',
      },
      prepare: (row) => {
        const text = textOf(row, 'text');
        const tags = parseText(text).flatMap((piece) => (piece.type === 'hashtag' ? [piece.name] : []));
        const content = formatText(text, {
          mentions: new Map(),
          hashtagUrl: (name) => `${site.baseUrl}/tags/${encodeURIComponent(name)}`,
        });
        return { ...row, content, tag_names: tags };
      },
    },
    {
      name: 'dismissed announcements',
      from: 'announcement_mutes',
      into: 'announcement_dismissals',
      targetKey: undefined,
      columns: same('account_id', 'announcement_id'),
    },
    ...reactionTables,
    {
      name: 'terms of service',
      from: 'terms_of_services',
      into: 'terms_of_service',
      isNewTable: true,
      added: { effective_date: 'null::date', notification_sent_at: 'null::timestamp' },
      leftOut: { 'not published': 's.published_at is null' },
      targetKey: undefined,
      conflictKey: ['effective_date'],
      columns: {
        effective_date: 'coalesce(s.effective_date, s.published_at::date)',
        content: 's.text',
        changelog: 's.changelog',
        published_at: 's.published_at',
        notified_at: 's.notification_sent_at',
        updated_at: 's.updated_at',
      },
      prepare: (row) => ({ ...row, content: staffMarkdown(site, textOf(row, 'content')) }),
    },
  ];
}

/** Rows have no time of their end, so a later run takes all of them again. */
const reactionTables: readonly TableImport[] = [
  {
    name: 'kinds of reactions to announcements',
    from: 'announcement_reactions',
    into: 'announcement_reaction_counts',
    only: `not exists (select from announcement_reactions o
      where o.announcement_id = s.announcement_id and o.name = s.name and o.id < s.id)`,
    isRebuilt: true,
    targetKey: undefined,
    conflictKey: ['announcement_id', 'name'],
    columns: {
      ...same('announcement_id', 'name', 'custom_emoji_id', 'created_at'),
      count: `(select count(*) from announcement_reactions o where o.announcement_id = s.announcement_id and o.name = s.name)`,
    },
  },
  {
    name: 'reactions to announcements',
    from: 'announcement_reactions',
    into: 'announcement_reactions',
    isRebuilt: true,
    targetKey: undefined,
    columns: same('account_id', 'announcement_id', 'name'),
  },
];

/** Previews of links. Images are fetched again with the next visit of the page. */
export const cardTables: readonly TableImport[] = [
  {
    name: 'previews of links',
    from: 'preview_cards',
    into: 'preview_cards',
    added: {
      image_description: `''::text`,
      author_account_id: 'null::bigint',
      image_remote_url: 'null::text',
      published_at: 'null::timestamp',
      link_type: 'null::integer',
      language: 'null::text',
    },
    columns: {
      ...same(
        'id',
        'url',
        'title',
        'description',
        'author_name',
        'author_url',
        'provider_name',
        'provider_url',
        'width',
        'height',
      ),
      ...same('image_description', 'language', 'published_at', 'created_at', 'updated_at'),
      // A player is built from the page, when it is read again.
      type: `case s.type when 1 then 'photo' else 'link' end`,
      link_type: `coalesce(${enumName('s.link_type', { 1: 'article' })}, 'unknown')`,
      image_url: `nullif(s.image_remote_url, '')`,
      creator_account_id: 's.author_account_id',
    },
  },
  {
    name: 'posts with previews',
    from: 'preview_cards_statuses',
    into: 'status_cards',
    key: ['status_id', 'preview_card_id'],
    added: { url: 'null::text' },
    join: 'join preview_cards c on c.id = s.preview_card_id',
    changed: 's.status_id in (select id from statuses where updated_at >= $since)',
    targetKey: undefined,
    conflictKey: ['status_id'],
    columns: { status_id: 's.status_id', card_id: 's.preview_card_id', url: 'coalesce(s.url, c.url)' },
  },
];
