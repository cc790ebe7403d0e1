// Search for accounts, statuses and hashtags. Fetches remote ones by their address.
export { propertyTerms, stemTerms } from './build-terms.ts';
export { reindexBatch } from './index-statuses.ts';
export { routes } from './routes.ts';
export { hashTerm, propertyTerm, wordTerms, type Term } from './search-terms.ts';
export { loadStems } from './stems.ts';
export { subscriptions } from './subscriptions.ts';
