import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const DirectoryPage = lazyPage(() => import('./directory-page.tsx').then((module) => module.DirectoryPage), 'people');

export const directoryRoutes = [<Route key="/directory" path="/directory" component={DirectoryPage} />];
