import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const OverviewPage = lazyPage(
  () => import('./overview/overview-page.tsx').then((module) => module.OverviewPage),
  'moderation',
);
const ReportsPage = lazyPage(
  () => import('./reports/reports-page.tsx').then((module) => module.ReportsPage),
  'moderation',
);
const ReportPage = lazyPage(
  () => import('./reports/report-page.tsx').then((module) => module.ReportPage),
  'moderation',
);

export const moderationRoutes = [
  <Route key="/moderation" path="/moderation" component={OverviewPage} />,
  <Route key="/moderation/reports" path="/moderation/reports" component={ReportsPage} />,
  <Route key="/moderation/reports/:id" path="/moderation/reports/:id" component={ReportPage} />,
];
