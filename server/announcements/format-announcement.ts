import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { hasAnyAddress } from '../platform/database/has-address.ts';
import type { StatusId } from '../platform/ids.ts';
import { formatStatusText } from '../statuses/post/index.ts';
import { parseText } from '../text/format/index.ts';
import { parseAnnouncementText } from './parse-announcement.ts';
import type { AnnouncementTables } from './tables.ts';

export type FormattedAnnouncement = Pick<
  AnnouncementTables['announcements'],
  'text' | 'content' | 'mentioned_ids' | 'tag_names' | 'status_ids'
>;

const maxLinkedStatuses = 10;

/** Formats a text by staff, with its mentions, hashtags and linked posts. Throws 422 if it is blank or too long. */
export async function formatAnnouncement(app: App, input: string): Promise<FormattedAnnouncement> {
  const text = parseAnnouncementText(input);
  const [{ content, mentionedIds, tagNames }, statusIds] = await Promise.all([
    formatStatusText(app, text),
    findLinkedStatuses(app, text),
  ]);
  return {
    text,
    content,
    mentioned_ids: [...mentionedIds],
    tag_names: [...new Set(tagNames.map((name) => name.toLowerCase()))],
    status_ids: statusIds,
  };
}

/** Returns the stored public posts whose address or page a text links to. */
async function findLinkedStatuses({ db }: App, text: string): Promise<StatusId[]> {
  const links = new Set(parseText(text).flatMap((token) => (token.type === 'url' ? [token.href] : [])));
  const urls = [...links].slice(0, maxLinkedStatuses);
  if (urls.length === 0) return [];
  const { rows } = await sql<{ id: StatusId }>`
    select id from statuses
    where (${hasAnyAddress('statuses.uri', urls)} or url = any(${urls}::text[]))
      and deleted_at is null and reblog_of_id is null and visibility in ('public', 'unlisted')
    order by id limit ${maxLinkedStatuses}`.execute(db);
  return rows.map(({ id }) => id);
}
