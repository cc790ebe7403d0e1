import type { App } from '../platform/app.ts';
import type { MediaId } from '../platform/ids.ts';
import { anonymousMediaViewer, createAttachmentProxy, urlFor, type MediaUrl } from './proxy/signed-urls.ts';
import type { MediaAttachment } from './schema.ts';
import type { MediaRow } from './tables.ts';

type AttachmentProxy = Awaited<ReturnType<typeof createAttachmentProxy>>;

/** An attachment as cached for every viewer: `urlFor` or a `JsonTemplate` completes its addresses. */
export interface CachedAttachment extends Omit<MediaAttachment, 'url' | 'preview_url'> {
  readonly url: MediaUrl | null;
  readonly preview_url: MediaUrl | null;
}

const noRestricted: ReadonlySet<MediaId> = new Set();

/** Returns attachments as anonymous viewers see them, in the order of `rows`. */
export async function presentMedia(app: App, rows: readonly MediaRow[]): Promise<MediaAttachment[]> {
  const shown = (url: MediaUrl | null): string | null => url && urlFor(url, anonymousMediaViewer);
  return (await buildCachedMedia(app, rows)).map((attachment) => ({
    ...attachment,
    url: shown(attachment.url),
    preview_url: shown(attachment.preview_url),
  }));
}

/**
 * Returns attachments as cached, in the order of `rows`. Remote files come through the proxy. `restricted`: attachments of
 * posts that not everyone may see.
 */
export async function buildCachedMedia(
  app: App,
  rows: readonly MediaRow[],
  restricted: ReadonlySet<MediaId> = noRestricted,
): Promise<CachedAttachment[]> {
  const proxy = rows.some(({ remote_url }) => remote_url !== null) ? await createAttachmentProxy(app) : undefined;
  return rows.map((row) => {
    const { url, previewUrl } =
      proxy === undefined ? localUrls(app, row) : mediaUrls(app, row, proxy, restricted.has(row.id));
    return {
      id: row.id,
      type: row.type,
      url,
      preview_url: previewUrl,
      remote_url: row.remote_url,
      preview_remote_url: row.remote_preview_url,
      text_url: row.remote_url === null ? `${app.config.baseUrl}/media/${row.id}` : null,
      meta: row.meta,
      description: row.description,
      blurhash: row.blurhash,
    };
  });
}

interface Urls {
  readonly url: MediaUrl | null;
  readonly previewUrl: MediaUrl | null;
}

function localUrls(app: App, { file_key, preview_key, state, type }: MediaRow): Urls {
  if (state !== 'ready') return { url: null, previewUrl: null };
  const url = file_key === null ? null : app.storage.url(file_key);
  const preview = preview_key === null ? null : app.storage.url(preview_key);
  return { url, previewUrl: preview ?? (type === 'image' ? url : null) };
}

function mediaUrls(app: App, row: MediaRow, proxy: AttachmentProxy, isRestricted: boolean): Urls {
  const { remote_url: remoteUrl, remote_preview_url: remotePreviewUrl } = row;
  if (remoteUrl === null) return localUrls(app, row);
  const hasPreview = remotePreviewUrl !== null || row.type === 'image';
  // Clients open files of unknown types on their own server.
  if (app.config.MEDIA_CACHE_SIZE === 0 || row.type === 'unknown') {
    return { url: remoteUrl, previewUrl: remotePreviewUrl ?? (hasPreview ? remoteUrl : null) };
  }
  return {
    url: proxy(row, 'original', isRestricted),
    previewUrl: hasPreview ? proxy(row, 'small', isRestricted) : null,
  };
}
