// OAuth: the apps that act for users, what they may do, and the tokens that prove it.
import type { Schedule } from '../platform/jobs/schedule.ts';
import { afterCommit, beforeCommit, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted, accountSuspended, accountUnsuspended } from '../accounts/index.ts';
import type { Route } from '../platform/http/routes.ts';
import { passwordChanged, userAccessChanged } from '../users/index.ts';
import { appRoutes } from './app-routes.ts';
import { dropCallers } from './callers.ts';
import { tokensRevoked } from './events.ts';
import { removeOldGrants } from './grant-code.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { tokenRoutes } from './token-routes.ts';

export { authenticate } from './authenticate.ts';
export {
  type AuthorizationParameters,
  type AuthorizationRequest,
  checkAuthorization,
  codeRedirect,
  errorRedirect,
} from './authorization-request.ts';
export {
  type AuthorizedApplication,
  listAuthorizedApplications,
  revokeApplication,
} from './authorized-applications.ts';
export { dropCallers } from './callers.ts';
export { createApplication, type CreatedApplication, type NewApplication } from './create-application.ts';
export { createToken, type NewToken } from './create-token.ts';
export { tokensRevoked } from './events.ts';
export { grantCode } from './grant-code.ts';
export { type OauthError, oauthError } from './oauth-problems.ts';
export { isPlainHost, outOfBand, withParameters } from './redirect-uris.ts';
export { revokeTokens } from './revoke-tokens.ts';
export { allScopes, readScopes, scopeAllows, scopeDescription, type ScopeMeaning, unknownScopes } from './scopes.ts';

export const routes: readonly Route[] = [...appRoutes, ...tokenRoutes, ...signUpRoutes];

export const subscriptions: readonly Subscription[] = [
  beforeCommit([passwordChanged], { run: (write, _app, { userId }) => revokeTokens(write, { userId }) }),
  afterCommit([tokensRevoked], { run: dropCallers }),
  afterCommit([userAccessChanged], { run: (app, { userId }) => dropCallers(app, { userId }) }),
  afterCommit([accountSuspended], { run: dropCallers }),
  afterCommit([accountUnsuspended], { run: dropCallers }),
  // Its tokens went with its user.
  afterCommit([accountDeleted], { run: dropCallers }),
];

export const schedules: readonly Schedule[] = [
  { name: 'remove-old-grants', pattern: '41 4 * * *', run: removeOldGrants },
];
