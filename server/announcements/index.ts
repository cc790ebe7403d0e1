// Announcements: what staff tell everybody on the server. Nothing can be published yet, so there are none.
export { routes } from './routes.ts';
