import type { App } from '../platform/app.ts';
import { createAttachmentProxy } from './proxy/signed-urls.ts';
import type { MediaAttachment, MediaMeta } from './schema.ts';
import type { MediaRow } from './tables.ts';

type AttachmentProxy = Awaited<ReturnType<typeof createAttachmentProxy>>;

/**
 * Returns attachments as clients see them, in the order of `rows`. Remote files come through the proxy, by addresses
 * that are the same for every viewer: see `attachmentProxy` for what else they need.
 */
export async function presentMedia(app: App, rows: readonly MediaRow[]): Promise<MediaAttachment[]> {
  const proxy = rows.some(({ remote_url }) => remote_url !== null) ? await createAttachmentProxy(app) : undefined;
  return rows.map((row) => {
    const { url, previewUrl } = proxy === undefined ? localUrls(app, row) : mediaUrls(app, row, proxy);
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

function mediaUrls(app: App, row: MediaRow, proxy: AttachmentProxy): Urls {
  const { remote_url: remoteUrl, remote_preview_url: remotePreviewUrl } = row;
  if (remoteUrl === null) return localUrls(app, row);
  const hasPreview = remotePreviewUrl !== null || row.type === 'image';
  // What clients can only link to, they open on its own server.
  if (app.config.MEDIA_CACHE_SIZE === 0 || row.type === 'unknown') {
    return { url: remoteUrl, previewUrl: remotePreviewUrl ?? (hasPreview ? remoteUrl : null) };
  }
  return { url: proxy(row, 'original'), previewUrl: hasPreview ? proxy(row, 'small') : null };
}
