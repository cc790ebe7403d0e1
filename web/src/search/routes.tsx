import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const SearchPage = lazyPage(
  () => import('./search-page.tsx').then((module) => module.SearchPage),
  'discovery',
  'people',
);

export const searchRoutes = [<Route key="/search" path="/search" component={SearchPage} />];
