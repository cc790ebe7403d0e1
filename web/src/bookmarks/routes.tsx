import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const BookmarksPage = lazyPage(() => import('./bookmarks-page.tsx').then((module) => module.BookmarksPage), 'people');

export const bookmarkRoutes = [<Route key="/bookmarks" path="/bookmarks/:id?" component={BookmarksPage} />];
