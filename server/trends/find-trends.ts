import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, AnyId } from '../platform/ids.ts';
import { namesOf } from '../platform/known-names.ts';
import { tagReviewed } from '../tags/index.ts';
import { trendsChanged } from './events.ts';
import { providedSince } from './provided-trends.ts';
import type { LinkReviewId, TrendKind } from './tables.ts';
import { isTrendableStatus, trendRules } from './trend-rules.ts';

/** Something that trends, with the decision of staff. */
export interface Trend {
  readonly id: AnyId;
  readonly language: string | null;
  readonly isApproved: boolean;
  /** Staff have decided neither about it nor about its website. */
  readonly requiresReview: boolean;
  /** Name of a hashtag, or URL of a link. */
  readonly name: string;
  /** Author of a status. */
  readonly accountId: AccountId | null;
  readonly linkReviewId: LinkReviewId | null;
  /** The service provider that named it; null if it trends here. */
  readonly provider: string | null;
}

/** Maximum number of trends of a kind that are listed. */
const maxTrends = 500;

/** The columns of `Trend` after the language, and the tables that they come from. */
const sources: Readonly<Record<TrendKind, { columns: RawBuilder<unknown>; tables: RawBuilder<unknown> }>> = {
  tag: {
    columns: sql`tag.trendable is true as "isApproved", tag.reviewed_at is null as "requiresReview", tag.name,
      null as "accountId", null as "linkReviewId"`,
    tables: sql`join tags tag on tag.id = trend.subject_id and tag.usable`,
  },
  status: {
    columns: sql`review.trendable is true as "isApproved", review.reviewed_at is null as "requiresReview",
      '' as name, s.account_id as "accountId", null as "linkReviewId"`,
    tables: sql`join statuses s on s.id = trend.subject_id and ${isTrendableStatus}
      left join status_reviews review on review.status_id = s.id`,
  },
  link: {
    columns: sql`coalesce(review.trendable, publisher.trendable, false) as "isApproved",
      review.reviewed_at is null and publisher.reviewed_at is null as "requiresReview",
      card.url as name, null as "accountId", review.id as "linkReviewId"`,
    tables: sql`join preview_cards card on card.id = trend.subject_id
      join link_reviews review on review.card_id = card.id
      left join link_publishers publisher on publisher.domain = review.domain`,
  },
};

/** What trends here comes before what providers name, because scores and ranks cannot be compared. */
const trendsOf = (kind: TrendKind) =>
  preparedQuery<Trend>()((db, { since }: { since: Date }) => ({
    compile: () =>
      sql<Trend>`
        select trend.subject_id as id, trend.language, trend.provider, ${sources[kind].columns}
        from (
          select subject_id, language, null as provider, score, 0 as rank from trends where kind = ${sql.lit(kind)}
          union all (
            select distinct on (provided.subject_id) provided.subject_id, subject.language, provided.provider, 0, provided.rank
            from provided_trends provided join (${trendRules[kind].subjects}) subject on subject.id = provided.subject_id
            where provided.kind = ${sql.lit(kind)} and provided.found_at >= ${since}
              and not exists (select from trends own where own.kind = provided.kind and own.subject_id = provided.subject_id)
            order by provided.subject_id, provided.rank desc, provided.provider_id)
        ) trend ${sources[kind].tables}
        order by trend.score desc, trend.rank desc, trend.subject_id desc
        limit ${sql.lit(maxTrends)}`.compile(db),
  }));

const queries = { tag: trendsOf('tag'), status: trendsOf('status'), link: trendsOf('link') };

export const trendsCache = new LoadingCache<TrendKind, readonly Trend[]>({
  name: 'trends.trends',
  maxSize: 3,
  ttlMs: 60_000,
  load: (app, kind) => queries[kind](app, { since: providedSince(app) }),
  evictOn: [evictAll(trendsChanged), evictAll(tagReviewed)],
});

/** Returns all trends of a kind, highest score first, reviewed or not. Cached. */
export const findTrends = (app: App, kind: TrendKind): Promise<readonly Trend[]> => trendsCache.get(app, kind);

/** Returns how many trends of all kinds wait for a decision of staff, at most `max`. */
export async function countTrendsToReview(app: App, max: number): Promise<number> {
  const lists = await Promise.all(namesOf(sources).map((kind) => findTrends(app, kind)));
  return Math.min(max, lists.flat().filter(({ requiresReview }) => requiresReview).length);
}

/**
 * Returns the trends that staff approved: first those in one of the languages (primary subtags), then the others. At most
 * one status of each author.
 */
export async function findApprovedTrends(
  app: App,
  kind: TrendKind,
  languages: ReadonlySet<string>,
): Promise<readonly Trend[]> {
  const approved = (await findTrends(app, kind)).filter(({ isApproved }) => isApproved);
  const isPreferred = ({ language }: Trend): boolean => language !== null && languages.has(primarySubtag(language));
  const sorted = [...approved.filter(isPreferred), ...approved.filter((trend) => !isPreferred(trend))];
  const authors = new Set<AccountId>();
  return sorted.filter(({ accountId }) => {
    if (accountId === null) return true;
    const isFirst = !authors.has(accountId);
    authors.add(accountId);
    return isFirst;
  });
}

/** Returns `pt` for `pt-BR`. */
export const primarySubtag = (language: string): string => language.split('-', 1)[0]?.toLowerCase() ?? '';
