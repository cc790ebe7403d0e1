import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const PublishPage = lazyPage(() => import('./publish-page.tsx').then((module) => module.PublishPage), 'composer');
const DraftsPage = lazyPage(() => import('./drafts-page.tsx').then((module) => module.DraftsPage), 'composer');
const ScheduledPage = lazyPage(() => import('./scheduled-page.tsx').then((module) => module.ScheduledPage), 'composer');

export const composerRoutes = [
  <Route key="/publish" path="/publish" component={PublishPage} />,
  <Route key="/drafts" path="/drafts" component={DraftsPage} />,
  <Route key="/scheduled" path="/scheduled" component={ScheduledPage} />,
];
