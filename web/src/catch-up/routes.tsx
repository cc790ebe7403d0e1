import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const CatchUpPage = lazyPage(() => import('./catch-up-page.tsx').then((module) => module.CatchUpPage), 'reading');

export const catchUpRoutes = [<Route key="/catch-up" path="/catch-up" component={CatchUpPage} />];
