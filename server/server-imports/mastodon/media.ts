import { same } from '../columns.ts';
import { enumName, fileKey, withExtension } from './site-address.ts';
import type { TableImport } from '../table-import.ts';

const type = enumName('s.type', { 0: 'image', 1: 'gifv', 2: 'video', 3: 'unknown', 4: 'audio' });
const isRemote = `s.remote_url <> ''`;
const hasFile = 's.file_file_name is not null';
/** Mastodon converts some files, whose names keep their extension. */
const originalName = `case when s.type in (1, 2) then ${withExtension('s.file_file_name', 'mp4')}
  when s.type = 4 then ${withExtension('s.file_file_name', 'mp3')}
  when s.file_content_type in ('image/heic', 'image/heif', 'image/avif') then ${withExtension('s.file_file_name', 'jpeg')}
  else s.file_file_name end`;
const smallName = `case when s.type in (1, 2) then ${withExtension('s.file_file_name', 'png')} else (${originalName}) end`;
const files = 'media_attachments/files';
const thumbnail = `case when s.thumbnail_file_name is not null
  then ${fileKey('media_attachments/thumbnails', 's.id', 'original', 's.thumbnail_file_name')} end`;

/** Attachments. Files of other servers are fetched again by the media proxy when someone views them. */
export const mediaTables: readonly TableImport[] = [
  {
    name: 'attachments',
    from: 'media_attachments',
    into: 'media_attachments',
    columns: {
      ...same('id', 'account_id', 'status_id', 'description', 'blurhash', 'created_at'),
      type,
      content_type: 's.file_content_type',
      file_key: `case when not (${isRemote}) then ${fileKey(files, 's.id', 'original', `(${originalName})`)} end`,
      preview_key: `case when not (${isRemote}) then coalesce(${thumbnail},
        case when s.type in (0, 1, 2) then ${fileKey(files, 's.id', 'small', `(${smallName})`)} end) end`,
      remote_url: `nullif(s.remote_url, '')`,
      remote_preview_url: `case when ${isRemote} then nullif(s.thumbnail_remote_url, '') end`,
      meta: `jsonb_strip_nulls(jsonb_build_object('original', s.file_meta::jsonb -> 'original', 'small', s.file_meta::jsonb -> 'small',
        'focus', s.file_meta::jsonb -> 'focus', 'colors', s.file_meta::jsonb -> 'colors'))`,
      state: `case when ${isRemote} or (${hasFile} and coalesce(s.processing, 2) = 2) then 'ready' else 'failed' end`,
      scheduled_id: 's.scheduled_status_id',
      file_size: `case when not (${isRemote}) then s.file_file_size end`,
    },
  },
  {
    name: 'addresses of attachments',
    from: 'media_attachments',
    into: 'media_shortcodes',
    only: `s.shortcode <> ''`,
    targetKey: ['media_id'],
    conflictKey: ['shortcode'],
    columns: { shortcode: 's.shortcode', media_id: 's.id' },
  },
];

/** Custom emojis. Images of remote ones are fetched again. */
export const emojiTables: readonly TableImport[] = [
  {
    name: 'custom emojis',
    from: 'custom_emojis',
    into: 'custom_emojis',
    join: 'left join custom_emoji_categories c on c.id = s.category_id',
    columns: {
      ...same('id', 'shortcode', 'visible_in_picker', 'disabled', 'created_at', 'updated_at'),
      domain: 'lower(s.domain)',
      image_key: `case when s.domain is null then ${fileKey('custom_emojis/images', 's.id', 'original', 's.image_file_name')} end`,
      static_key: `case when s.domain is null then ${fileKey('custom_emojis/images', 's.id', 'static', `(${withExtension('s.image_file_name', 'png')})`)} end`,
      remote_url: `case when s.domain is not null then nullif(s.image_remote_url, '') end`,
      category: 'c.name',
    },
  },
];
