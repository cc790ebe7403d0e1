// Password resets, second factors and sessions of users, as staff change them.
export { disableSecondFactorAsStaff, resetPasswordAsStaff, revokeSessionsAsStaff } from './change-credentials.ts';
