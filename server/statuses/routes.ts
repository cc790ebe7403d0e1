import type { Route } from '../platform/http/routes.ts';
import { editRoutes } from './edit-routes.ts';
import { listRoutes } from './list-routes.ts';
import { pollRoutes } from './poll-routes.ts';
import { postRoutes } from './post-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { reactRoutes } from './react-routes.ts';
import { remoteMediaRoutes } from './remote-media-routes.ts';
import { scheduledRoutes } from './scheduled-routes.ts';
import { storedFileRoutes } from './stored-file-routes.ts';
import { showRoutes } from './show-routes.ts';

export const routes: readonly Route[] = [
  ...postRoutes,
  ...editRoutes,
  ...showRoutes,
  ...reactRoutes,
  ...quoteRoutes,
  ...listRoutes,
  ...pollRoutes,
  ...scheduledRoutes,
  ...remoteMediaRoutes,
  ...storedFileRoutes,
];
