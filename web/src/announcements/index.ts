// Announcements of the server, above the home timeline.
export { AnnouncementBar } from './announcement-bar.tsx';
