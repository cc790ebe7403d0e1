import { Route } from 'preact-iso';
import { composerRoutes } from './composer/routes.tsx';
import { columnRoutes } from './deck/routes.tsx';
import { lazyPage } from './lazy-page.ts';
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
import { timelineRoutes } from './timeline/routes.tsx';

const NotFoundPage = lazyPage(() => import('./layout/not-found-page.tsx').then((module) => module.NotFoundPage));

/** Every page of the client. The first route that matches is shown. server/pages/web/client-routes.ts has most of their paths. */
export const routes = [
  ...columnRoutes,
  ...timelineRoutes,
  ...moderationRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...exploreRoutes,
  ...announcementRoutes,
  ...conversationRoutes,
  ...composerRoutes,
  ...preferenceRoutes,
  ...peopleRoutes,
  ...profileEditorRoutes,
  // Paths that begin with a handle.
  ...profileRoutes,
  ...threadRoutes,
  <Route key="*" default component={NotFoundPage} />,
];
