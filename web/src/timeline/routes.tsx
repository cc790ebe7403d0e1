import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const PublicPage = lazyPage(() => import('./public-page.tsx').then((module) => module.PublicPage));
const TagPage = lazyPage(() => import('./tag-page.tsx').then((module) => module.TagPage), 'discovery', 'reading');
const ListPage = lazyPage(() => import('./list-page.tsx').then((module) => module.ListPage), 'reading');
const LinkPage = lazyPage(() => import('./link-page.tsx').then((module) => module.LinkPage));
const FavouritesPage = lazyPage(() => import('./favourites-page.tsx').then((module) => module.FavouritesPage));
const QuotesPage = lazyPage(() => import('./quotes-page.tsx').then((module) => module.QuotesPage));

export const timelineRoutes = [
  <Route key="/public" path="/public/:origin?" component={PublicPage} />,
  <Route key="/tags" path="/tags/:name" component={TagPage} />,
  <Route key="/lists/:id" path="/lists/:id" component={ListPage} />,
  <Route key="/links" path="/links" component={LinkPage} />,
  <Route key="/favourites" path="/favourites" component={FavouritesPage} />,
];

// `/@name/1/quotes`: after all routes with a fixed first segment.
export const quoteRoutes = [<Route key="/quotes-of" path="/:handle/:id/quotes" component={QuotesPage} />];
