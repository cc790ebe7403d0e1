import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';

/** A review does not change the time of the last change. */
const isReviewed = 's.trendable is not null';

/** What staff decided about links and posts that trend. Hashtags have it themselves. */
export const reviewTables: readonly TableImport[] = [
  {
    name: 'reviews of publishers',
    from: 'preview_card_providers',
    into: 'link_publishers',
    only: 's.reviewed_at is not null',
    changed: 's.reviewed_at is not null',
    columns: { ...same('id', 'trendable', 'reviewed_at', 'requested_review_at'), domain: 'lower(s.domain)' },
  },
  {
    name: 'reviews of links',
    from: 'preview_cards',
    into: 'link_reviews',
    only: isReviewed,
    changed: isReviewed,
    targetKey: ['card_id'],
    columns: {
      card_id: 's.id',
      domain: `lower(coalesce(substring(s.url from '^https?://([^/:?#]+)'), ''))`,
      trendable: 's.trendable',
      reviewed_at: 's.updated_at',
    },
  },
  {
    name: 'reviews of posts',
    from: 'statuses',
    into: 'status_reviews',
    only: isReviewed,
    changed: isReviewed,
    targetKey: ['status_id'],
    columns: { status_id: 's.id', trendable: 's.trendable', reviewed_at: 's.updated_at' },
  },
];
