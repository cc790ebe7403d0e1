import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ThreadPage = lazyPage(() => import('./thread-page.tsx').then((module) => module.ThreadPage), 'reading');
const ReadPage = lazyPage(() => import('./read-page.tsx').then((module) => module.ReadPage), 'reading');
const HistoryPage = lazyPage(() => import('./history-page.tsx').then((module) => module.HistoryPage), 'reading');
const FavouritesOfPage = lazyPage(
  () => import('./reactions-page.tsx').then((module) => module.FavouritesOfPage),
  'reading',
  'people',
);
const ReblogsOfPage = lazyPage(
  () => import('./reactions-page.tsx').then((module) => module.ReblogsOfPage),
  'reading',
  'people',
);

// `/@name/1`: after all routes with a fixed first segment.
export const threadRoutes = [
  <Route key="/read" path="/:handle/:id/read" component={ReadPage} />,
  <Route key="/history" path="/:handle/:id/history" component={HistoryPage} />,
  <Route key="/favourites-of" path="/:handle/:id/favourites" component={FavouritesOfPage} />,
  <Route key="/reblogs-of" path="/:handle/:id/reblogs" component={ReblogsOfPage} />,
  <Route key="/thread" path="/:handle/:id" component={ThreadPage} />,
];
