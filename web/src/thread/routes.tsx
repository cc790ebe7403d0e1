import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ThreadPage = lazyPage(() => import('./thread-page.tsx').then((module) => module.ThreadPage));

// `/@name/1`: after all routes with a fixed first segment.
export const threadRoutes = [<Route key="/thread" path="/:handle/:id" component={ThreadPage} />];
