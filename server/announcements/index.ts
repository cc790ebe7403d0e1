// Announcements of the staff to all users. The list is empty, because there is no way to publish any yet.
export { routes } from './routes.ts';
