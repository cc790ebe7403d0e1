// Trends: hashtags, posts and links. The lists are empty, because there is no way to approve any yet.
export { routes } from './routes.ts';
