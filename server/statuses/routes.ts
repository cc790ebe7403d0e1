import type { Route } from '../platform/http/routes.ts';
import { postRoutes } from './post-routes.ts';
import { showRoutes } from './show-routes.ts';

export const routes: readonly Route[] = [...postRoutes, ...showRoutes];
