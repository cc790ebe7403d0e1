import { Type, type Static } from 'typebox';
import { PreviewCard } from '../cards/schema.ts';
import { AdminTag } from '../hashtags/admin/schema.ts';
import { Tag } from '../hashtags/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { Status } from '../statuses/schema.ts';

const trend_provider = Type.Optional(
  Type.String({ description: 'The service provider that named it; absent if it trends on this server' }),
);

/** A hashtag that trends. */
export const TrendingTag = entity('Fieldfare::TrendingTag', { ...Tag.properties, trend_provider });
export type TrendingTag = Static<typeof TrendingTag>;

/** A status that trends. */
export const TrendingStatus = entity('Fieldfare::TrendingStatus', { ...Status.properties, trend_provider });
export type TrendingStatus = Static<typeof TrendingStatus>;

/** Entity Trends::Link: a preview card, and how often the link was shared on each of the last seven days. */
export const TrendingLink = entity('TrendsLink', {
  ...PreviewCard.properties,
  history: Tag.properties.history,
  trend_provider,
});
export type TrendingLink = Static<typeof TrendingLink>;

const requires_review = Type.Boolean({ description: 'Staff have not decided yet' });

/** Entity Admin::Trends::Link. */
export const AdminTrendingLink = entity('AdminTrendsLink', {
  ...TrendingLink.properties,
  id: Type.Integer(),
  requires_review,
});
export type AdminTrendingLink = Static<typeof AdminTrendingLink>;

/** A hashtag that trends, with what staff decided about it. */
export const AdminTrendingTag = entity('Fieldfare::AdminTrendingTag', { ...AdminTag.properties, trend_provider });
export type AdminTrendingTag = Static<typeof AdminTrendingTag>;

/** Entity Admin::Trends::Status. */
export const AdminTrendingStatus = entity('AdminTrendsStatus', { ...TrendingStatus.properties, requires_review });
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
