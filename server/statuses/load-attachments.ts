import { sql, type Selectable } from 'kysely';
import { presentMedia, type MediaAttachment } from '../media/index.ts';
import type { MediaTables } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { MediaId, StatusId } from '../platform/ids.ts';
import { domainPolicy } from '../site/index.ts';
import type { StatusRow } from './status-rows.ts';

type MediaRow = Selectable<MediaTables['media_attachments']>;

const mediaRows = preparedQuery<MediaRow>()((db, { ids }: { ids: MediaId[] }) =>
  db
    .selectFrom('media_attachments')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`),
);

/** Attachments by their ids, in one statement, none for no ids; those that are gone are missing. */
export async function loadAttachments(app: App, ids: MediaId[]): Promise<Map<MediaId, MediaAttachment>> {
  if (ids.length === 0) return new Map();
  const rows = await mediaRows(app, { ids });
  return new Map((await presentMedia(app, rows)).map((attachment) => [attachment.id, attachment]));
}

/** The attachments of these statuses, each list in its author's order; one statement, none when nothing is attached. */
export async function loadStatusAttachments(
  app: App,
  statuses: readonly StatusRow[],
): Promise<Map<StatusId, MediaAttachment[]>> {
  const attachments = await loadAttachments(
    app,
    statuses.flatMap(({ media_ids }) => media_ids),
  );
  if (attachments.size === 0) return new Map();
  const policy = await domainPolicy(app);
  return new Map(
    statuses.map(({ id, media_ids, author_domain: domain }) => {
      const media = media_ids.flatMap((mediaId) => attachments.get(mediaId) ?? []);
      const isRejected = domain !== null && policy.ruleFor(domain).rejectMedia;
      return [id, isRejected ? media.map(withoutFileUrls) : media];
    }),
  );
}

/** An attachment of a server whose media staff reject: a link to it, and nothing of the file itself. */
const withoutFileUrls = (attachment: MediaAttachment): MediaAttachment => ({
  ...attachment,
  type: 'unknown',
  url: attachment.remote_url,
  preview_url: null,
  preview_remote_url: null,
  blurhash: null,
});
