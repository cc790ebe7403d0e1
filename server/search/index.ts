// Search for accounts, statuses and hashtags. Fetches remote ones by their address.
export { indexStatuses, subscriptions } from './index-statuses.ts';
export { routes } from './routes.ts';
export { loadStems } from './stems.ts';
export { type IndexedWord, buildTsvector } from './search-words.ts';
