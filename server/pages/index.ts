// Pages: the HTML pages for sign-up, sign-in, app authorization, account security, public profiles and posts. They need no script.
import type { Route } from '../platform/http/routes.ts';
import { annualReportRoutes } from './public/annual-report-page.ts';
import { applicationsRoutes } from './oauth/applications-routes.ts';
import { collectionRoutes } from './public/collection-routes.ts';
import { confirmationRoutes } from './auth/confirmation-routes.ts';
import { consentRoutes } from './oauth/consent-routes.ts';
import { deviceRoutes } from './oauth/device-routes.ts';
import { feedRoutes } from './feeds/feed-routes.ts';
import { intentRoutes } from './interact/intent-routes.ts';
import { interactionRoutes } from './interact/interaction-routes.ts';
import { linkRoutes } from './email-subscriptions/link-routes.ts';
import { liveRoutes } from './public/live-routes.ts';
import { mediaRoutes } from './public/media-routes.ts';
import { inviteRoutes } from './auth/invite-routes.ts';
import { newsletterRoutes } from './email-subscriptions/newsletter-routes.ts';
import { ownInviteRoutes } from './auth/own-invite-routes.ts';
import { oembedRoutes } from './public/oembed-routes.ts';
import { passwordRoutes } from './auth/password-routes.ts';
import { providerLogoutRoutes } from './auth/provider-logout-routes.ts';
import { providerRoutes } from './auth/provider-routes.ts';
import { providerSignUpRoutes } from './auth/provider-sign-up-routes.ts';
import { profileRoutes } from './public/profile-routes.ts';
import { settingsRoutes } from './auth/settings-routes.ts';
import { secondStepRoutes } from './auth/second-step-routes.ts';
import { settingsIndexRoutes } from './settings/index-routes.ts';
import { migrationPageRoutes } from './settings/migration-routes.ts';
import { replacedRoutes } from './settings/replaced-routes.ts';
import { passkeyScriptRoute } from './security/passkey-form.ts';
import { linkedSignInRoutes } from './security/linked-routes.ts';
import { passkeyRoutes } from './security/passkey-routes.ts';
import { sessionPageRoutes } from './security/session-routes.ts';
import { twoFactorRoutes } from './security/two-factor-routes.ts';
import { proofOfWorkScriptRoute } from './auth/proof-of-work-field.ts';
import { setupRoutes } from './auth/setup-routes.ts';
import { shareRoutes } from './interact/share-routes.ts';
import { signInLinkRoutes } from './auth/sign-in-link-routes.ts';
import { signInRoutes } from './auth/sign-in-routes.ts';
import { signUpRoutes } from './auth/sign-up-routes.ts';
import { siteRoutes } from './public/site-routes.ts';
import { staffMailRoutes } from './auth/staff-mail-routes.ts';
import { strikePageRoutes } from './auth/strike-routes.ts';
import { subscribeRoutes } from './email-subscriptions/subscribe-routes.ts';
import { tagRoutes } from './public/tag-routes.ts';
import { earlierAddressRoutes } from './web/earlier-addresses.ts';
import { clientFileRoutes } from './web/file-routes.ts';
import { clientRoutes } from './web/client-routes.ts';
import { accountRoutes } from './web/account-routes.ts';
import { webRoutes } from './web/web-routes.ts';
import { manifestRoutes } from './web/manifest-routes.ts';
import { webEmbedRoutes } from './public/web-embed-routes.ts';
import { wellKnownRoutes } from './well-known-routes.ts';

export { errorPage } from './render/error-page.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = [
  ...siteRoutes,
  ...signInRoutes,
  ...secondStepRoutes,
  ...signInLinkRoutes,
  ...providerRoutes,
  ...providerSignUpRoutes,
  ...providerLogoutRoutes,
  ...signUpRoutes,
  ...inviteRoutes,
  ...ownInviteRoutes,
  ...confirmationRoutes,
  ...passwordRoutes,
  ...consentRoutes,
  ...deviceRoutes,
  ...applicationsRoutes,
  ...settingsRoutes,
  ...setupRoutes,
  ...settingsIndexRoutes,
  ...replacedRoutes,
  ...migrationPageRoutes,
  ...twoFactorRoutes,
  ...sessionPageRoutes,
  ...passkeyRoutes,
  ...linkedSignInRoutes,
  passkeyScriptRoute,
  proofOfWorkScriptRoute,
  ...staffMailRoutes,
  ...strikePageRoutes,
  ...intentRoutes,
  ...subscribeRoutes,
  ...linkRoutes,
  ...newsletterRoutes,
  ...interactionRoutes,
  ...shareRoutes,
  ...webRoutes,
  ...accountRoutes,
  ...clientRoutes,
  ...clientFileRoutes,
  ...earlierAddressRoutes,
  ...wellKnownRoutes,
  ...manifestRoutes,
  ...feedRoutes,
  ...tagRoutes,
  ...liveRoutes,
  ...annualReportRoutes,
  ...profileRoutes,
  ...collectionRoutes,
  ...oembedRoutes,
  ...mediaRoutes,
  ...webEmbedRoutes,
];
