import { sql } from 'kysely';
import { findCardByUrl, type CardId } from '../../cards/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses } from '../../statuses/read/index.ts';
import type { FeedOrigin } from '../access/feed-access.ts';
import { PageFiller, type CandidateBatch, type Cursor } from './page-filler.ts';
import type { Timeline } from './timeline.ts';

/**
 * Returns a page of the public statuses that link to a URL, or to another URL of its preview card, replies included.
 * Throws 404 for a URL without a card. Mastodon answers only for links approved as trending; these statuses are public
 * anyway.
 */
export async function loadLinkTimeline(
  app: App,
  viewer: CurrentUser | undefined,
  { url, origin, page }: { url: string; origin: FeedOrigin | undefined; page: Page },
): Promise<Timeline> {
  const cardId = await findCardByUrl(app, url);
  if (cardId === undefined) throw notFound();
  if (origin === undefined) return { statuses: [], first: undefined, last: undefined };
  const filler = new PageFiller<StatusId>(page);
  while (filler.needsMore) {
    const { ids, next } = await listLinkingIds(app, { cardId, origin, ...filler.cursor }, page.limit);
    const visible = await filterVisibleStatuses(app, viewer?.accountId, filler.withinPage(ids), 'public');
    filler.add(visible, next);
  }
  const { ids, first, last } = filler.result();
  return { statuses: await presentStatuses(app, viewer, ids), first, last };
}

async function listLinkingIds(
  app: App,
  { cardId, origin, direction, bound }: Cursor<StatusId> & { readonly cardId: CardId; readonly origin: FeedOrigin },
  count: number,
): Promise<CandidateBatch<StatusId>> {
  const local = origin === 'all' ? null : origin === 'local';
  const rows = await statements[direction](app, { cardId, local, bound, count });
  const ids = rows.map(({ id }) => id);
  return { ids, next: ids.length === count ? ids.at(-1) : undefined };
}

interface Args {
  readonly cardId: CardId;
  /** Null: both local and remote. */
  readonly local: boolean | null;
  readonly bound: StatusId;
  readonly count: number;
}

const statement = (direction: 'asc' | 'desc') =>
  preparedQuery<{ id: StatusId }>()((db, { cardId, local, bound, count }: Args) =>
    db
      .selectFrom('status_cards as card')
      .innerJoin('statuses as s', 's.id', 'card.status_id')
      .select('s.id')
      .where('card.card_id', '=', cardId)
      .where('card.status_id', direction === 'asc' ? '>' : '<', bound)
      .where(sql<boolean>`s.visibility = 'public' and s.deleted_at is null
        and (${local}::boolean is null or s.local = ${local}::boolean)`)
      .orderBy('card.status_id', direction)
      .limit(sql<number>`${count}::int`),
  );

const statements = { asc: statement('asc'), desc: statement('desc') };
