// Passwords, sessions and sign-in.
export {
  changePassword,
  hashNewPassword,
  isResetToken,
  requestPasswordReset,
  resetPassword,
  storeNewPassword,
} from './change-password.ts';
export { assertPassword, type PasswordAttempt } from './check-password.ts';
export { originTtlDays, type SignInOrigin } from './origins.ts';
export { assertPasswordsAllowed, mayUsePasswords } from './password-policy.ts';
export { hashSecret, newSecret } from './secrets.ts';
export { deleteSessions, findSession, findSessions, startSession, type Session } from './sessions.ts';
export { signIn } from './sign-in.ts';
