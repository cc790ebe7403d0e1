// Pages: the HTML pages for sign-up, sign-in, app authorization, settings, public profiles and posts. They need no script.
import type { Route } from '../platform/http/routes.ts';
import { applicationsRoutes } from './applications-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { consentRoutes } from './consent-routes.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { oembedRoutes } from './oembed-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { setupRoutes } from './setup-routes.ts';
import { shareRoutes } from './share-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { siteRoutes } from './site-routes.ts';
import { tagRoutes } from './tag-routes.ts';
import { wellKnownRoutes } from './well-known-routes.ts';

export { errorPage } from './error-page.ts';

export const routes: readonly Route[] = [
  ...siteRoutes,
  ...signInRoutes,
  ...signUpRoutes,
  ...confirmationRoutes,
  ...passwordRoutes,
  ...consentRoutes,
  ...applicationsRoutes,
  ...settingsRoutes,
  ...setupRoutes,
  ...interactionRoutes,
  ...shareRoutes,
  ...wellKnownRoutes,
  ...tagRoutes,
  ...profileRoutes,
  ...collectionRoutes,
  ...oembedRoutes,
];
