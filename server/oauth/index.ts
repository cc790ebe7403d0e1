// OAuth: the apps that act for users, what they may do, and the tokens that prove it.
import { accountUpdated } from '../accounts/index.ts';
import { whenLive, within, type Subscription } from '../platform/jobs/events.ts';
import { passwordChanged, userAccessChanged } from '../users/index.ts';
import { dropCallers } from './callers.ts';
import { tokensRevoked } from './events.ts';
import { revokeTokens } from './revoke-tokens.ts';

export { authenticate } from './authenticate.ts';
export { dropCallers } from './callers.ts';
export { createApplication, type CreatedApplication, type NewApplication } from './create-application.ts';
export { createToken, type NewToken } from './create-token.ts';
export { tokensRevoked } from './events.ts';
export { revokeTokens } from './revoke-tokens.ts';
export { allScopes, readScopes, scopeAllows, scopeDescription, unknownScopes } from './scopes.ts';

export const subscriptions: readonly Subscription[] = [
  within(passwordChanged, 'revoke-tokens', (write, _app, { userId }) => revokeTokens(write, { userId })),
  whenLive(tokensRevoked, 'drop-callers', dropCallers),
  whenLive(userAccessChanged, 'drop-callers-of-user', (app, { userId }) => dropCallers(app, { userId })),
  // Suspended or let back by staff.
  whenLive(accountUpdated, 'drop-callers-of-account', dropCallers),
];
