// The browsers in which a user is signed in.
export { describeBrowser } from './describe-browser.ts';
export { listSessions, type BrowserSession } from './list-sessions.ts';
export { revokeOtherSessions, revokeSession, revokeSessions } from './revoke-sessions.ts';
export { isSessionExpired, recordSessionUse, sessionTtlDays } from './session-use.ts';
