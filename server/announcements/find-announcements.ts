import { sql, type Selectable } from 'kysely';
import { buildCachedEmojis, emojisChanged, type CachedEmoji } from '../emojis/index.ts';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import { pageEnds, pagedQuery, selectPage, type PageEnds } from '../platform/database/paged-query.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import {
  announcementEdited,
  announcementPublished,
  announcementReactionsChanged,
  announcementUnpublished,
} from './events.ts';
import { publicationAt } from './publication.ts';
import type { AnnouncementId, AnnouncementTables } from './tables.ts';

export type AnnouncementRow = Selectable<AnnouncementTables['announcements']>;

/** The number of reactions with one emoji, with the files of a custom emoji. */
export interface ReactionCount {
  readonly announcement_id: AnnouncementId;
  readonly name: string;
  readonly count: number;
  readonly image_key: string | null;
  readonly static_key: string | null;
}

/** An announcement as cached for every viewer. */
export interface CachedAnnouncement {
  readonly row: AnnouncementRow;
  readonly emojis: readonly CachedEmoji[];
  /** In the order of the first reactions. */
  readonly reactions: readonly ReactionCount[];
}

const publishedRows = preparedQuery<AnnouncementRow>()((db) =>
  db
    .selectFrom('announcements')
    .selectAll()
    .where('published_at', 'is not', null)
    .orderBy(sql`coalesce(starts_at, published_at)`)
    .orderBy('id'),
);

const reactionCounts = preparedQuery<ReactionCount>()((db, { ids }: { ids: readonly AnnouncementId[] }) =>
  db
    .selectFrom('announcement_reaction_counts as reaction')
    .leftJoin('custom_emojis as emoji', 'emoji.id', 'reaction.custom_emoji_id')
    .select(['reaction.announcement_id', 'reaction.name', 'reaction.count', 'emoji.image_key', 'emoji.static_key'])
    .where(sql<boolean>`reaction.announcement_id = any(${ids}::bigint[])`)
    .orderBy('reaction.created_at')
    .orderBy('reaction.name'),
);

export const publishedCache = new LoadingCache<'all', readonly CachedAnnouncement[]>({
  name: 'announcements.published',
  maxSize: 1,
  ttlMs: 60_000,
  load: async (app) => withDetails(app, await publishedRows(app, {})),
  evictOn: [
    evictAll(
      announcementPublished,
      announcementEdited,
      announcementUnpublished,
      announcementReactionsChanged,
      emojisChanged,
    ),
  ],
});

/** Returns the published announcements by start, oldest first. Cached. */
export async function listPublishedAnnouncements(app: App): Promise<readonly CachedAnnouncement[]> {
  const now = app.clock.now();
  // The job that withdraws an expired one may be late.
  return (await publishedCache.get(app, 'all')).filter(({ row }) => publicationAt(row, now).isPublished);
}

/** Returns a published announcement. Throws 404 for any other one. */
export async function requirePublished(app: App, id: AnnouncementId): Promise<CachedAnnouncement> {
  const found = (await listPublishedAnnouncements(app)).find(({ row }) => row.id === id);
  if (found === undefined) throw notFound();
  return found;
}

const pageOfRows = pagedQuery<AnnouncementRow>()<object>((db, args, order) =>
  selectPage(db.selectFrom('announcements').selectAll(), args, order),
);

/** Returns a page of all announcements for staff, newest first. */
export async function listAllAnnouncements(
  app: App,
  page: Page,
): Promise<{ announcements: CachedAnnouncement[] } & PageEnds> {
  const rows = await pageOfRows(app, page, {});
  return { announcements: await withDetails(app, rows), ...pageEnds(page, rows) };
}

/** Returns any announcement for staff. Throws 404 if it does not exist. */
export async function requireAnnouncement(app: App, id: AnnouncementId): Promise<CachedAnnouncement> {
  const row = await app.db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst();
  const [found] = row === undefined ? [] : await withDetails(app, [row]);
  if (found === undefined) throw notFound();
  return found;
}

async function withDetails(app: App, rows: readonly AnnouncementRow[]): Promise<CachedAnnouncement[]> {
  if (rows.length === 0) return [];
  const [counts, emojis] = await Promise.all([
    reactionCounts(app, { ids: rows.map(({ id }) => id) }),
    buildCachedEmojis(
      app,
      rows.map(({ content }) => ({ texts: [content], domain: null })),
    ),
  ]);
  const byAnnouncement = Map.groupBy(counts, ({ announcement_id: id }) => id);
  return rows.map((row, index) => ({
    row,
    emojis: emojis[index] ?? [],
    reactions: byAnnouncement.get(row.id) ?? [],
  }));
}
