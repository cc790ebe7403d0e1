// Trends: hashtags, posts and links that many people share, as far as staff approve them. They cannot approve any yet.
export { routes } from './routes.ts';
