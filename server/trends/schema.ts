import { Type, type Static } from 'typebox';
import { PreviewCard } from '../cards/schema.ts';
import { Tag } from '../hashtags/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { Status } from '../statuses/schema.ts';

/** Entity Trends::Link: a preview card, and how often the link was shared on each of the last seven days. */
export const TrendingLink = entity('TrendsLink', { ...PreviewCard.properties, history: Tag.properties.history });
export type TrendingLink = Static<typeof TrendingLink>;

const requires_review = Type.Boolean({ description: 'Staff have not decided yet' });

/** Entity Admin::Trends::Link. */
export const AdminTrendingLink = entity('AdminTrendsLink', {
  ...TrendingLink.properties,
  id: Type.Integer(),
  requires_review,
});
export type AdminTrendingLink = Static<typeof AdminTrendingLink>;

/** Entity Admin::Trends::Status. */
export const AdminTrendingStatus = entity('AdminTrendsStatus', { ...Status.properties, requires_review });
export type AdminTrendingStatus = Static<typeof AdminTrendingStatus>;

const nullableDate = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/** Entity Admin::Trends::Links::PreviewCardProvider: a website that links lead to. */
export const LinkPublisher = entity('AdminTrendsLinksPreviewCardProvider', {
  id: Type.Integer(),
  domain: Type.String(),
  trendable: Type.Union([Type.Boolean(), Type.Null()]),
  reviewed_at: nullableDate,
  requested_review_at: nullableDate,
  requires_review,
});
export type LinkPublisher = Static<typeof LinkPublisher>;
