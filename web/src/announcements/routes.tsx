import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const AnnouncementsPage = lazyPage(
  () => import('./announcements-page.tsx').then((module) => module.AnnouncementsPage),
  'discovery',
);

export const announcementRoutes = [<Route key="/announcements" path="/announcements" component={AnnouncementsPage} />];
