import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';
import { changedInCopy, idOf, nameOf } from './references.ts';

const isRemote = `coalesce(s.remote_url, '') <> ''`;
const isReady = `coalesce(s.file_path, '') <> '' and coalesce(s.processing, '2') = '2'`;

const size = (style: 'original' | 'small'): string => `case when s.${style}_width > 0 then jsonb_build_object(
  'width', s.${style}_width, 'height', s.${style}_height, 'size', s.${style}_width || 'x' || s.${style}_height,
  'aspect', s.${style}_aspect${
    style === 'original'
      ? `, 'duration', s.original_duration, 'frame_rate', s.original_framerate::text, 'bitrate', s.original_bitrate`
      : ''
  }) end`;

/** Attachments. Files of other servers are fetched again by the media proxy when someone views them. */
export const mediaTables: readonly TableImport[] = [
  {
    name: 'attachments',
    from: 'media_attachments',
    into: 'media_attachments',
    leftOut: { 'avatars and headers, which their accounts have': 's.avatar or s.header' },
    changed: changedInCopy,
    columns: {
      ...same('id', 'created_at'),
      account_id: idOf('s.account_id'),
      status_id: idOf('s.status_id'),
      scheduled_id: idOf('s.scheduled_status_id'),
      description: `nullif(s.description, '')`,
      blurhash: `nullif(s.blurhash, '')`,
      type: `coalesce(${nameOf('lower(s.type)', {
        image: [1, 'image'],
        audio: [2, 'audio'],
        video: [3, 'video'],
        gifv: [4, 'gifv'],
      })}, 'unknown')`,
      content_type: `nullif(s.file_content_type, '')`,
      file_key: `case when not (${isRemote}) then nullif(s.file_path, '') end`,
      preview_key: `case when not (${isRemote}) then nullif(s.thumbnail_path, '') end`,
      remote_url: `nullif(s.remote_url, '')`,
      remote_preview_url: `case when ${isRemote} then nullif(s.thumbnail_remote_url, '') end`,
      meta: `jsonb_strip_nulls(jsonb_build_object('original', ${size('original')}, 'small', ${size('small')},
        'focus', case when s.focus_x <> 0 or s.focus_y <> 0 then jsonb_build_object('x', s.focus_x, 'y', s.focus_y) end))`,
      state: `case when ${isRemote} or (${isReady}) then 'ready' else 'failed' end`,
      file_size: `case when not (${isRemote}) then s.file_file_size::bigint end`,
    },
  },
];

/** Custom emojis. Images of remote ones are fetched again. */
export const emojiTables: readonly TableImport[] = [
  {
    name: 'custom emojis',
    from: 'emojis',
    into: 'custom_emojis',
    join: 'left join emoji_categories c on c.ulid = s.category_id',
    changed: 'true',
    columns: {
      ...same('id', 'shortcode', 'created_at', 'updated_at'),
      visible_in_picker: 'coalesce(s.visible_in_picker, true)',
      disabled: 'coalesce(s.disabled, false)',
      domain: `lower(nullif(s.domain, ''))`,
      image_key: `case when coalesce(s.domain, '') = '' then nullif(s.image_path, '') end`,
      static_key: `case when coalesce(s.domain, '') = '' then nullif(s.image_static_path, '') end`,
      remote_url: `case when s.domain <> '' then nullif(s.image_remote_url, '') end`,
      category: 'c.name',
    },
  },
];
