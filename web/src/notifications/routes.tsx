import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const NotificationsPage = lazyPage(
  () => import('./notifications-page.tsx').then((module) => module.NotificationsPage),
  'discovery',
);
const ApprovalsPage = lazyPage(
  () => import('./approvals-page.tsx').then((module) => module.ApprovalsPage),
  'discovery',
);
const RequestsPage = lazyPage(() => import('./requests-page.tsx').then((module) => module.RequestsPage), 'discovery');
const RequestPage = lazyPage(() => import('./request-page.tsx').then((module) => module.RequestPage), 'discovery');

export const notificationRoutes = [
  <Route key="/notifications" path="/notifications" component={NotificationsPage} />,
  <Route key="/notifications/approvals" path="/notifications/approvals" component={ApprovalsPage} />,
  <Route key="/notifications/requests" path="/notifications/requests" component={RequestsPage} />,
  <Route key="/notifications/requests/:id" path="/notifications/requests/:id" component={RequestPage} />,
];
