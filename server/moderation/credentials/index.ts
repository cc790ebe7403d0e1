// What staff change about the credentials of a user.
export { disableSecondFactorAsStaff, resetPasswordAsStaff, revokeSessionsAsStaff } from './change-credentials.ts';
