import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ExplorePage = lazyPage(
  () => import('./explore-page.tsx').then((module) => module.ExplorePage),
  'discovery',
  'people',
);

export const exploreRoutes = [<Route key="/explore" path="/explore/:tab?" component={ExplorePage} />];
