import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { MediaId, StatusId } from '../platform/ids.ts';

const statusRows = preparedQuery<{ status_id: StatusId | null }>()((db, { id }: { id: MediaId }) =>
  db.selectFrom('media_attachments').select('status_id').where('id', '=', id).where('remote_url', 'is', null),
);

/** Returns the local file with this short code, which Mastodon gave it. */
export async function findMediaByShortcode({ db }: App, shortcode: string): Promise<MediaId | undefined> {
  const row = await db
    .selectFrom('media_shortcodes')
    .select('media_id')
    .where('shortcode', '=', shortcode)
    .executeTakeFirst();
  return row?.media_id;
}

/** Returns the status that a local file is attached to. Undefined while it is attached to none. */
export async function findAttachedStatus(app: App, id: MediaId): Promise<StatusId | undefined> {
  const [row] = await statusRows(app, { id });
  return row?.status_id ?? undefined;
}
