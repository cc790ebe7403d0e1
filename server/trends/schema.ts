import { Type } from 'typebox';
import { PreviewCard } from '../cards/index.ts';
import { Tag } from '../tags/index.ts';

/** Entity Trends::Link: a preview card, and how often it was shared on each of the last seven days. */
export const TrendingLink = Type.Object({ ...PreviewCard.properties, history: Tag.properties.history });
