// Trends: usage of hashtags, posts and links. The trends are empty, because there is no way to approve any yet.
export { presentFeaturedTags } from './present-featured-tags.ts';
export { presentTags } from './present-tags.ts';
export { routes } from './routes.ts';
