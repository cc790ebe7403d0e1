// OAuth: applications, their scopes, and the access tokens with which they act for users.
import type { Schedule } from '../platform/work/run-schedules.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import { passwordChanged } from '../users/index.ts';
import { appRoutes } from './app-routes.ts';
import { authorizedApplicationRoutes } from './authorize/authorized-application-routes.ts';
import { cleanUpGrants } from './authorize/authorization-codes.ts';
import { cleanUpTokensAndApplications } from './clean-up.ts';
import { deviceRoutes } from './device/device-routes.ts';
import { cleanUpDeviceRequests } from './device/request-device-code.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { insertSessionTokens } from './session-tokens.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { tokenRoutes } from './token-routes.ts';

export { loadApplicationNames, peekApplicationName } from './application-names.ts';
export { authenticate, authenticateSession, listActiveTokens } from './authenticate.ts';
export { createApplication, type CreatedApplication } from './create-application.ts';
export { createToken, createTokenAsStaff } from './create-token.ts';
export { tokensRevoked } from './events.ts';
export { listUserTokens, type UserToken } from './list-user-tokens.ts';
export { lockActiveToken } from './lock-token.ts';
export { revokeTokens } from './revoke-tokens.ts';
export { allScopes, scopeAllows, describeScope, unknownScopes } from './scopes.ts';
export { loadTokenCaller } from './token-callers.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = [
  ...appRoutes,
  ...tokenRoutes,
  ...deviceRoutes,
  ...signUpRoutes,
  ...authorizedApplicationRoutes,
];

export const subscriptions: readonly Subscription[] = [
  inTransaction([passwordChanged], { run: (tx, _app, { userId }) => revokeTokens(tx, { userId }) }),
  insertSessionTokens,
];

export const schedules: readonly Schedule[] = [
  { name: 'oauth.clean_up_grants', pattern: '41 4 * * *', run: cleanUpGrants },
  { name: 'oauth.clean_up_tokens', pattern: '47 4 * * *', run: cleanUpTokensAndApplications },
  { name: 'oauth.clean_up_device_requests', pattern: '19 * * * *', run: cleanUpDeviceRequests },
];
