import { sql, type Selectable } from 'kysely';
import { buildCachedMedia, type CachedAttachment } from '../../media/index.ts';
import type { MediaTables } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';
import { domainPolicy } from '../../site/domains/index.ts';
import type { StatusRow } from './status-rows.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

type MediaRow = Selectable<MediaTables['media_attachments']>;

const mediaRows = preparedQuery<MediaRow>()((db, { ids }: { ids: MediaId[] }) =>
  db
    .selectFrom('media_attachments')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`),
);

/**
 * Returns attachments by id in one statement. Deleted ones are missing. `restricted`: those of posts that are not
 * public or unlisted.
 */
export async function loadAttachments(
  app: App,
  ids: MediaId[],
  restricted?: ReadonlySet<MediaId>,
): Promise<Map<MediaId, CachedAttachment>> {
  if (ids.length === 0) return new Map();
  const rows = await mediaRows(app, { ids });
  return new Map((await buildCachedMedia(app, rows, restricted)).map((attachment) => [attachment.id, attachment]));
}

/** Returns the attachments of each status in display order, in one statement. */
export async function loadStatusAttachments(
  app: App,
  statuses: readonly StatusRow[],
): Promise<Map<StatusId, CachedAttachment[]>> {
  const restricted = statuses.filter(({ visibility }) => !isPublicOrUnlisted(visibility));
  const attachments = await loadAttachments(
    app,
    statuses.flatMap(({ media_ids }) => media_ids),
    new Set(restricted.flatMap(({ media_ids }) => media_ids)),
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

/**
 * Removes the file and its preview from an attachment of a domain whose media are rejected. The link to the original
 * stays.
 */
const withoutFileUrls = (attachment: CachedAttachment): CachedAttachment => ({
  ...attachment,
  type: 'unknown',
  url: attachment.remote_url,
  preview_url: null,
  preview_remote_url: null,
  blurhash: null,
});
