// Trends: how much hashtags, posts and links are used. Staff cannot approve any yet, so the trends themselves are empty.
export { presentFeaturedTags } from './present-featured-tags.ts';
export { presentTags } from './present-tags.ts';
export { routes } from './routes.ts';
