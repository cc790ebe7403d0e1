import type { App } from '../platform/app.ts';
import { attachmentUrl } from './proxy/addresses.ts';
import type { MediaAttachment, MediaMeta } from './schema.ts';
import type { MediaRow } from './tables.ts';

/**
 * Attachments as clients see them, in the order of `rows`. Files of other servers are shown through the proxy, whose
 * addresses have them fetched: answers to those who are not signed in go through `withoutFetching` (server/app.ts).
 */
export function presentMedia(app: App, rows: readonly MediaRow[]): MediaAttachment[] {
  return rows.map((row) => {
    const { url, previewUrl } = row.remote_url === null ? localUrls(app, row) : remoteUrls(app, row, row.remote_url);
    return {
      id: row.id,
      type: row.type,
      url,
      preview_url: previewUrl,
      remote_url: row.remote_url,
      preview_remote_url: row.remote_preview_url,
      text_url: row.remote_url === null ? url : null,
      meta: row.meta as MediaMeta | null,
      description: row.description,
      blurhash: row.blurhash,
    };
  });
}

interface Urls {
  readonly url: string | null;
  readonly previewUrl: string | null;
}

function localUrls(app: App, { file_key, preview_key, state, type }: MediaRow): Urls {
  if (state !== 'ready') return { url: null, previewUrl: null };
  const url = file_key === null ? null : app.storage.url(file_key);
  const preview = preview_key === null ? null : app.storage.url(preview_key);
  return { url, previewUrl: preview ?? (type === 'image' ? url : null) };
}

function remoteUrls(app: App, row: MediaRow, remoteUrl: string): Urls {
  const hasPreview = row.remote_preview_url !== null || row.type === 'image';
  // What clients can only link to, they open on its own server.
  if (app.config.MEDIA_CACHE_SIZE === 0 || row.type === 'unknown') {
    return { url: remoteUrl, previewUrl: row.remote_preview_url ?? (hasPreview ? remoteUrl : null) };
  }
  return {
    url: attachmentUrl(app, row, 'original'),
    previewUrl: hasPreview ? attachmentUrl(app, row, 'small') : null,
  };
}
