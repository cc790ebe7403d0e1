import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import type { StatusId, TagId } from '../platform/ids.ts';
import { recordStaffUpdate, type AuditTarget } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { reviewTag } from '../tags/index.ts';
import type { Trend } from './find-trends.ts';
import type { LinkPublisher } from './schema.ts';
import { trendsChanged } from './events.ts';
import { writable, type LinkReviewId, type PublisherId } from './tables.ts';

/** A decision whether something may trend. */
export interface TrendDecision<Id> {
  readonly id: Id;
  readonly trendable: boolean;
}

/** Approves or rejects a hashtag. Throws 404 for an unknown one. */
export function reviewTrendingTag(app: App, staff: Staff, decision: TrendDecision<TagId>): Promise<void> {
  return transaction(app, (tx) => reviewTag(tx, app, staff, decision));
}

/** Approves or rejects a status, whether it trends yet or not. The caller checks that it exists. */
export function reviewStatus(app: App, staff: Staff, { id, trendable }: TrendDecision<StatusId>): Promise<void> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<ReviewState & { readonly label: string }>`
      select coalesce(status.url, status.uri, status.id::text) as label, review.trendable, review.reviewed_at
      from statuses status left join status_reviews review on review.status_id = status.id
      where status.id = ${id}::bigint`.execute(tx.db);
    const [before] = rows;
    const review = { trendable, reviewed_at: app.clock.now() };
    await writable(tx.db)
      .insertInto('status_reviews')
      .values({ status_id: id, ...review })
      .onConflict((conflict) => conflict.column('status_id').doUpdateSet(review))
      .execute();
    recordReview(tx, staff, 'trending_status', { id, label: before?.label ?? id, before, after: review });
  });
}

/** Approves or rejects a link and returns it. Throws 404 for an unknown one. */
export async function reviewLink(
  app: App,
  staff: Staff,
  { id, trendable }: TrendDecision<LinkReviewId>,
): Promise<Pick<Trend, 'id' | 'name' | 'linkReviewId' | 'requiresReview' | 'provider'>> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<ReviewState & { readonly cardId: Trend['id']; readonly url: string }>`
      select card.id as "cardId", card.url, review.trendable, review.reviewed_at
      from link_reviews review join preview_cards card on card.id = review.card_id
      where review.id = ${id}::bigint for update of review`.execute(tx.db);
    const [link] = rows;
    if (link === undefined) throw notFound();
    const review = { trendable, reviewed_at: app.clock.now() };
    await writable(tx.db).updateTable('link_reviews').set(review).where('id', '=', id).execute();
    recordReview(tx, staff, 'trending_link', { id, label: link.url, before: link, after: review });
    return { id: link.cardId, name: link.url, linkReviewId: id, requiresReview: false, provider: null };
  });
}

type PublisherRow = Record<'reviewed_at' | 'requested_review_at', Date | null> & {
  readonly id: PublisherId;
  readonly domain: string;
  readonly trendable: boolean | null;
};

const publisherColumns = ['id', 'domain', 'trendable', 'reviewed_at', 'requested_review_at'] as const;

/** Approves or rejects all links to a website that staff did not decide on one by one. Throws 404 for an unknown one. */
export async function reviewPublisher(
  app: App,
  staff: Staff,
  { id, trendable }: TrendDecision<PublisherId>,
): Promise<LinkPublisher> {
  return transaction(app, async (tx) => {
    const before = await tx.db
      .selectFrom('link_publishers')
      .select(publisherColumns)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    const review = { trendable, reviewed_at: app.clock.now() };
    await writable(tx.db).updateTable('link_publishers').set(review).where('id', '=', id).execute();
    recordReview(tx, staff, 'link_publisher', { id, label: before.domain, before, after: review });
    return presentPublisher({ ...before, ...review });
  });
}

interface ReviewState {
  readonly trendable: boolean | null;
  readonly reviewed_at: Date | null;
}

function recordReview(
  tx: Transaction,
  staff: Staff,
  target: AuditTarget,
  {
    id,
    label,
    before,
    after,
  }: {
    readonly id: string;
    readonly label: string;
    readonly before: ReviewState | undefined;
    readonly after: ReviewState;
  },
): void {
  tx.emit(trendsChanged({}));
  recordStaffUpdate(tx, staff, {
    target,
    verb: after.trendable === true ? 'approve' : 'reject',
    id,
    label,
    before: reviewDetails(before ?? { trendable: null, reviewed_at: null }),
    after: reviewDetails(after),
  });
}

const reviewDetails = ({ trendable, reviewed_at: reviewedAt }: ReviewState) => ({
  trendable,
  reviewed: reviewedAt !== null,
});

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
