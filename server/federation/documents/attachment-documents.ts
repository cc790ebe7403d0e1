import { sql, type Selectable } from 'kysely';
import { presentMedia, type MediaTables } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import type { MediaId } from '../../platform/ids.ts';
import type { Json } from './values.ts';

/** Returns the documents of media attachments by their ids. */
export async function attachmentDocuments(app: App, ids: readonly MediaId[]): Promise<Map<MediaId, Json>> {
  if (ids.length === 0) return new Map();
  const media = await app.db
    .selectFrom('media_attachments')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
  const presented = await presentMedia(app, media);
  return new Map(
    presented.map((item) => [
      item.id,
      attachment(
        item,
        media.find(({ id }) => id === item.id),
      ),
    ]),
  );
}

type PresentedMedia = Awaited<ReturnType<typeof presentMedia>>[number];

function attachment(item: PresentedMedia, row: Selectable<MediaTables['media_attachments']> | undefined): Json {
  const { meta } = row ?? {};
  const { width, height, duration } = meta?.original ?? {};
  return {
    type: 'Document',
    mediaType: row?.content_type ?? 'application/octet-stream',
    url: item.url,
    name: item.description,
    ...(meta?.focus && { focalPoint: [meta.focus.x, meta.focus.y] }),
    ...(item.blurhash !== null && { blurhash: item.blurhash }),
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(duration !== undefined && { duration: `PT${duration}S` }),
    ...(item.type !== 'image' && item.preview_url !== null && { icon: { type: 'Image', url: item.preview_url } }),
  };
}
