// Password resets, second factors, sessions and tokens of users, as staff change them.
export { disableSecondFactorAsStaff, resetPasswordAsStaff, revokeSessionsAsStaff } from './change-credentials.ts';
export { revokeTokensAsStaff } from './revoke-tokens.ts';
