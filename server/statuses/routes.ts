import type { Route } from '../platform/http/routes.ts';
import { approvalRoutes } from './approval/approval-routes.ts';
import { editRoutes } from './edit/edit-routes.ts';
import { emojiReactionRoutes } from './emoji-reactions/reaction-routes.ts';
import { filterRoutes } from './filter/filter-routes.ts';
import { heldRoutes } from './held/held-routes.ts';
import { listRoutes } from './read/list-routes.ts';
import { pollRoutes } from './poll/poll-routes.ts';
import { postRoutes } from './post/post-routes.ts';
import { previewRoutes } from './post/preview-routes.ts';
import { quoteRoutes } from './quote/quote-routes.ts';
import { reactRoutes } from './react/react-routes.ts';
import { remoteMediaRoutes } from './read/remote-media-routes.ts';
import { scheduledRoutes } from './schedule/scheduled-routes.ts';
import { storedFileRoutes } from './read/stored-file-routes.ts';
import { showRoutes } from './read/show-routes.ts';
import { threadRoutes } from './thread/thread-routes.ts';

export const routes: readonly Route[] = [
  ...postRoutes,
  ...previewRoutes,
  ...threadRoutes,
  ...editRoutes,
  ...showRoutes,
  ...reactRoutes,
  ...emojiReactionRoutes,
  ...quoteRoutes,
  ...approvalRoutes,
  ...listRoutes,
  ...filterRoutes,
  ...pollRoutes,
  ...scheduledRoutes,
  ...heldRoutes,
  ...remoteMediaRoutes,
  ...storedFileRoutes,
];
