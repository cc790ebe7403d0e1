import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const CollectionPage = lazyPage(
  () => import('./collection-page.tsx').then((module) => module.CollectionPage),
  'people',
);

export const collectionRoutes = [<Route key="/collections" path="/collections/:id" component={CollectionPage} />];
