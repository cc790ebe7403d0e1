import { PreviewCard } from '../cards/index.ts';
import { entity } from '../platform/http/entity.ts';
import { Tag } from '../hashtags/index.ts';

/** Entity Trends::Link: a preview card, and how often the link was shared on each of the last seven days. */
export const TrendingLink = entity('TrendsLink', { ...PreviewCard.properties, history: Tag.properties.history });
