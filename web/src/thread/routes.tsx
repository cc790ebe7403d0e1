import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ThreadPage = lazyPage(() => import('./thread-page.tsx').then((module) => module.ThreadPage));
const HistoryPage = lazyPage(
  () => import('../status/pages/history-page.tsx').then((module) => module.HistoryPage),
  'reading',
);
const FavouritesOfPage = lazyPage(
  () => import('../status/pages/accounts-page.tsx').then((module) => module.FavouritesOfPage),
  'reading',
);
const ReblogsOfPage = lazyPage(
  () => import('../status/pages/accounts-page.tsx').then((module) => module.ReblogsOfPage),
  'reading',
);
const QuotesPage = lazyPage(() => import('../timeline/quotes-page.tsx').then((module) => module.QuotesPage));

// `/@name/1`: after all routes with a fixed first segment.
export const threadRoutes = [
  <Route key="/history" path="/:handle/:id/history" component={HistoryPage} />,
  <Route key="/favourites-of" path="/:handle/:id/favourites" component={FavouritesOfPage} />,
  <Route key="/reblogs-of" path="/:handle/:id/reblogs" component={ReblogsOfPage} />,
  <Route key="/quotes-of" path="/:handle/:id/quotes" component={QuotesPage} />,
  <Route key="/thread" path="/:handle/:id" component={ThreadPage} />,
];
