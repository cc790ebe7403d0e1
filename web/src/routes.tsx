import { Route } from 'preact-iso';
import { bookmarkRoutes } from './bookmarks/routes.tsx';
import { catchUpRoutes } from './catch-up/routes.tsx';
import { collectionRoutes } from './collections/routes.tsx';
import { composerRoutes } from './composer/routes.tsx';
import { columnRoutes } from './deck/routes.tsx';
import { directoryRoutes } from './directory/routes.tsx';
import { NotFoundPage } from './layout/index.ts';
import { listRoutes } from './lists/routes.tsx';
import { moderationRoutes } from './moderation/routes.tsx';
import { announcementRoutes } from './announcements/routes.tsx';
import { conversationRoutes } from './conversations/routes.tsx';
import { exploreRoutes } from './explore/routes.tsx';
import { notificationRoutes } from './notifications/routes.tsx';
import { searchRoutes } from './search/routes.tsx';
import { preferenceRoutes } from './preferences/routes.tsx';
import { peopleRoutes } from './people/routes.tsx';
import { profileEditorRoutes, profileRoutes } from './profile/routes.tsx';
import { threadRoutes } from './thread/routes.tsx';
import { quoteRoutes, timelineRoutes } from './timeline/routes.tsx';

/** Every page of the client. The first route that matches is shown. server/pages/web/client-routes.ts has most of their paths. */
export const routes = [
  ...columnRoutes,
  ...timelineRoutes,
  ...bookmarkRoutes,
  ...catchUpRoutes,
  ...moderationRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...exploreRoutes,
  ...announcementRoutes,
  ...conversationRoutes,
  ...composerRoutes,
  ...preferenceRoutes,
  ...peopleRoutes,
  ...listRoutes,
  ...collectionRoutes,
  ...directoryRoutes,
  ...profileEditorRoutes,
  // Paths that begin with a handle.
  ...profileRoutes,
  ...quoteRoutes,
  ...threadRoutes,
  <Route key="*" default component={NotFoundPage} />,
];
