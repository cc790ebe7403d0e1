import type { ColumnType } from 'kysely';
import type { CardId } from '../cards/index.ts';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, AnyId, Id, StatusId } from '../platform/ids.ts';

export type TrendKind = 'tag' | 'status' | 'link';
/** Of a hashtag, a status or a card. */
export type TrendSubjectId = Id<'tag'> | StatusId | CardId;
type SubjectColumn = ColumnType<AnyId, TrendSubjectId, never>;
export type LinkReviewId = Id<'link-review'>;
export type PublisherId = Id<'link-publisher'>;

/** The decision of staff; null until the first one. */
interface Review {
  trendable: boolean | null;
  reviewed_at: Date | null;
  /** When staff were asked for a review. */
  requested_review_at: Date | null;
}

export interface TrendTables {
  /** Which accounts used what in which hour. */
  trend_uses: {
    kind: TrendKind;
    subject_id: SubjectColumn;
    /** Hours since the epoch. */
    hour: number;
    account_id: AccountId;
    language: string | null;
  };
  /** What trends now, reviewed or not. */
  trends: {
    kind: TrendKind;
    subject_id: SubjectColumn;
    language: string | null;
    /** `score` decays from this value. */
    peak_score: number;
    peak_at: Date;
    score: number;
  };
  /** Trends that providers of auxiliary services named, reviewed or not. */
  provided_trends: {
    provider_id: Id<'provider'>;
    provider: string;
    kind: TrendKind;
    subject_id: SubjectColumn;
    rank: number;
    found_at: Date;
  };
  status_reviews: Review & { status_id: StatusId };
  link_publishers: Review & { id: PublisherId; domain: string };
  link_reviews: Review & { id: LinkReviewId; card_id: CardId; domain: string };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<TrendTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends TrendTables {}
}
