// Search: people, posts and hashtags, those of other servers included when their address is given.
export { indexStatuses, subscriptions } from './index-statuses.ts';
export { routes } from './routes.ts';
export { loadStems } from './stems.ts';
export { type IndexedWord, buildTsvector } from './search-words.ts';
