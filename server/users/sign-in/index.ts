// Passwords, sessions and sign-in.
export { changePassword, isResetToken, requestPasswordReset, resetPassword, setPassword } from './change-password.ts';
export { assertPassword } from './check-password.ts';
export { hashSecret, newSecret } from './secrets.ts';
export { deleteSession, findSession, sessionTtlDays, createSession, type Session } from './sessions.ts';
export { signIn } from './sign-in.ts';
