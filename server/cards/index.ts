// Cards: previews of linked pages. Jobs fetch each page once for all posts.
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { cleanUpCards } from './clean-up-cards.ts';
import { removeCreator } from './remove-creator.ts';

export { fetchLinkCard, findLinkCard, type LinkCard, linkJobKey } from './fetch-link-card.ts';
export { cardCreatorUnresolved } from './events.ts';
export { findFirstLink } from './find-first-link.ts';
export { type CardJson, renderCardInto, loadCardJson } from './present-cards.ts';
export { PreviewCard } from './schema.ts';
export { findUnresolvedCreator, findCardByUrl, setCardCreator, setStatusCard } from './status-cards.ts';
export type { CardId, CardTables, CardType, LinkType } from './tables.ts';

export const subscriptions: readonly Subscription[] = [removeCreator];

export const schedules: readonly Schedule[] = [cleanUpCards];
