import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import type { StatusId, TagId } from '../platform/ids.ts';
import { reviewTag } from '../tags/index.ts';
import type { Trend } from './find-trends.ts';
import type { LinkPublisher } from './schema.ts';
import { trendsChanged } from './events.ts';
import type { LinkReviewId, PublisherId } from './tables.ts';

/** Approves or rejects a hashtag. Throws 404 for an unknown one. */
export function reviewTrendingTag(app: App, id: TagId, trendable: boolean): Promise<void> {
  return transaction(app, (tx) => reviewTag(tx, app, id, { trendable }));
}

/** Approves or rejects a status, whether it trends yet or not. The caller checks that it exists. */
export function reviewStatus(app: App, id: StatusId, trendable: boolean): Promise<void> {
  return transaction(app, async ({ db, emit }) => {
    const decision = { trendable, reviewed_at: app.clock.now() };
    await db
      .insertInto('status_reviews')
      .values({ status_id: id, ...decision })
      .onConflict((conflict) => conflict.column('status_id').doUpdateSet(decision))
      .execute();
    emit(trendsChanged({}));
  });
}

/** Approves or rejects a link and returns it. Throws 404 for an unknown one. */
export async function reviewLink(
  app: App,
  id: LinkReviewId,
  trendable: boolean,
): Promise<Pick<Trend, 'id' | 'name' | 'linkReviewId' | 'requiresReview'>> {
  return transaction(app, async ({ db, emit }) => {
    const { rows } = await sql<Pick<Trend, 'id' | 'name'>>`
      update link_reviews review set trendable = ${trendable}, reviewed_at = ${app.clock.now()}
      from preview_cards card
      where review.id = ${id}::bigint and card.id = review.card_id
      returning card.id, card.url as name`.execute(db);
    const [link] = rows;
    if (link === undefined) throw notFound();
    emit(trendsChanged({}));
    return { ...link, linkReviewId: id, requiresReview: false };
  });
}

type PublisherRow = Record<'reviewed_at' | 'requested_review_at', Date | null> & {
  readonly id: PublisherId;
  readonly domain: string;
  readonly trendable: boolean | null;
};

const publisherColumns = ['id', 'domain', 'trendable', 'reviewed_at', 'requested_review_at'] as const;

/** Approves or rejects all links to a website that staff did not decide on one by one. Throws 404 for an unknown one. */
export async function reviewPublisher(app: App, id: PublisherId, trendable: boolean): Promise<LinkPublisher> {
  return transaction(app, async ({ db, emit }) => {
    const row = await db
      .updateTable('link_publishers')
      .set({ trendable, reviewed_at: app.clock.now() })
      .where('id', '=', id)
      .returning(publisherColumns)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    emit(trendsChanged({}));
    return presentPublisher(row);
  });
}

const publisherRows = (direction: 'asc' | 'desc') =>
  preparedQuery<PublisherRow>()((db, args: { above: string; below: string; limit: number }) =>
    db
      .selectFrom('link_publishers')
      .select(publisherColumns)
      .where('id', '>', sql<PublisherId>`${args.above}::bigint`)
      .where('id', '<', sql<PublisherId>`${args.below}::bigint`)
      .orderBy('id', direction)
      .limit(sql<number>`${args.limit}::int`),
  );

const publishersNewestFirst = publisherRows('desc');
const publishersOldestFirst = publisherRows('asc');
const maxBigint = '9223372036854775807';

/** Lists the websites of links that trended, newest first. */
export async function listPublishers(app: App, { limit, maxId, sinceId, minId }: Page): Promise<LinkPublisher[]> {
  const args = { above: minId ?? sinceId ?? '0', below: maxId ?? maxBigint, limit };
  const rows =
    minId === undefined
      ? await publishersNewestFirst(app, args)
      : (await publishersOldestFirst(app, args)).toReversed();
  return rows.map(presentPublisher);
}

const presentPublisher = ({
  id,
  domain,
  trendable,
  reviewed_at,
  requested_review_at,
}: PublisherRow): LinkPublisher => ({
  id: Number(id),
  domain,
  trendable,
  reviewed_at: reviewed_at?.toISOString() ?? null,
  requested_review_at: requested_review_at?.toISOString() ?? null,
  requires_review: reviewed_at === null,
});
