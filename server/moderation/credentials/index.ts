// Passwords, e-mail addresses, second factors, sessions and tokens of users, as staff change them.
export { disableSecondFactorAsStaff, resetPasswordAsStaff, revokeSessionsAsStaff } from './change-credentials.ts';
export { changeEmailAsStaff, confirmEmailAsStaff, resendConfirmationAsStaff } from './change-email.ts';
export { createSignInLinkAsStaff, linkIdentityAsStaff, unlinkIdentityAsStaff } from './change-identities.ts';
export { revokeTokensAsStaff } from './revoke-tokens.ts';
