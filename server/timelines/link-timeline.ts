import { sql } from 'kysely';
import { findCardByUrl, type CardId } from '../cards/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/index.ts';
import { fillPage, type FilledPage } from './fill-page.ts';
import { maxId } from './follow-graph.ts';

interface Args {
  readonly cardId: CardId;
  readonly bound: StatusId;
  readonly count: number;
}

const statement = (direction: 'asc' | 'desc') =>
  preparedQuery<{ id: StatusId }>()((db, { cardId, bound, count }: Args) =>
    db
      .selectFrom('status_cards as card')
      .innerJoin('statuses as s', 's.id', 'card.status_id')
      .select('s.id')
      .where('card.card_id', '=', cardId)
      .where('card.status_id', direction === 'asc' ? '>' : '<', bound)
      .where(sql<boolean>`s.visibility = 'public' and s.deleted_at is null`)
      .orderBy('card.status_id', direction)
      .limit(sql<number>`${count}::int`),
  );

const statements = { asc: statement('asc'), desc: statement('desc') };

/**
 * A page of the public posts that link to a page, by whatever address they do, replies included; 404 for an address
 * without a card. (Servers with trends answer for links that staff approved as trending; here every link that has a
 * card is open, since its posts are public anyway.)
 */
export async function loadLinkTimeline(
  app: App,
  viewerId: AccountId | undefined,
  { url, page }: { url: string; page: Page },
): Promise<FilledPage<StatusId>> {
  const cardId = await findCardByUrl(app, url);
  if (cardId === undefined) throw notFound();
  return fillPage<StatusId>(
    page,
    async (from, ascending) => {
      const bound = from ?? (ascending ? ('0' as StatusId) : maxId);
      const rows = await statements[ascending ? 'asc' : 'desc'](app, { cardId, bound, count: page.limit });
      const ids = rows.map(({ id }) => id);
      return { ids, next: ids.length === page.limit ? ids.at(-1) : undefined };
    },
    (ids) => filterVisibleStatuses(app, viewerId, ids, 'public'),
  );
}
