import type { App } from '../platform/app.ts';
import type { MediaAttachment, MediaMeta } from './schema.ts';
import type { MediaRow } from './tables.ts';

/** Attachments as clients see them, in the order of `rows`. Files that are not kept here point to their own server. */
export function presentMedia(app: App, rows: readonly MediaRow[]): MediaAttachment[] {
  return rows.map((row) => {
    const stored = row.file_key === null || row.state !== 'ready' ? null : app.storage.url(row.file_key);
    const storedPreview = row.preview_key === null || row.state !== 'ready' ? null : app.storage.url(row.preview_key);
    const url = stored ?? row.remote_url;
    return {
      id: row.id,
      type: row.type,
      url,
      preview_url: storedPreview ?? row.remote_preview_url ?? (row.type === 'image' ? url : null),
      remote_url: row.remote_url,
      preview_remote_url: row.remote_preview_url,
      text_url: row.remote_url === null ? stored : null,
      meta: row.meta as MediaMeta | null,
      description: row.description,
      blurhash: row.blurhash,
    };
  });
}
