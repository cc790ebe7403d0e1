import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { MediaId } from '../platform/ids.ts';

/** Properties of an attachment's file that the API does not show. */
export interface MediaFile {
  readonly contentType: string | undefined;
  /** Bytes; undefined if unknown. */
  readonly size: number | undefined;
}

interface Row {
  readonly id: MediaId;
  readonly content_type: string | null;
  readonly file_size: string | null;
}

const mediaRows = preparedQuery<Row>()((db, { ids }: { ids: readonly MediaId[] }) =>
  db
    .selectFrom('media_attachments')
    .select(['id', 'content_type', 'file_size'])
    .where('id', '=', sql<MediaId>`any(${ids}::bigint[])`),
);

/** Returns the files of attachments by id, without attachments that do not exist. */
export async function loadMediaFiles(app: App, ids: readonly MediaId[]): Promise<Map<MediaId, MediaFile>> {
  if (ids.length === 0) return new Map();
  const rows = await mediaRows(app, { ids });
  return new Map(
    rows.map(({ id, content_type: contentType, file_size: size }) => [
      id,
      { contentType: contentType ?? undefined, size: size === null ? undefined : Number(size) },
    ]),
  );
}
