// Search: people, posts and hashtags, those of other servers included when their address is given.
export { indexStatuses } from './index-statuses.ts';
export { routes } from './routes.ts';
export { vectorOfWords } from './search-words.ts';
export { indexing as subscriptions } from './index-statuses.ts';
