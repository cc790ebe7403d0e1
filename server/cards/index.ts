// Cards: what the pages that posts link to say about themselves, read by jobs, once for the whole server.
import type { Schedule } from '../platform/jobs/schedule.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { forgetCards } from './forget-cards.ts';
import { forgetCreator } from './forget-creator.ts';

export { cardOfLink, knownCard, type LinkCard, linkKey } from './card-of-link.ts';
export { creatorNamed } from './events.ts';
export { firstLink } from './first-link.ts';
export { type CardText, cardText, cardTexts } from './present-cards.ts';
export { PreviewCard } from './schema.ts';
export { creatorWanted, findCard, setCreator, setStatusCard } from './status-cards.ts';
export type { CardId, CardTables, CardType, LinkType } from './tables.ts';

export const subscriptions: readonly Subscription[] = [forgetCreator];

export const schedules: readonly Schedule[] = [forgetCards];
