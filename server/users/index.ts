// Users: people with a local account, their passwords, sessions, e-mail addresses, roles and preferences.
import type { Schedule } from '../platform/work/run-schedules.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import { accountDeleted } from '../accounts/index.ts';
import { provideBadges, provideEmailSubscribers } from '../accounts/badges/index.ts';
import { highlightedRole } from './access/badges.ts';
import { takesEmailSubscribers } from './access/takes-email-subscribers.ts';
import {
  sendConfirmation,
  sendEmailChanged,
  sendEmailChangeRequested,
  sendPasswordChanged,
  sendPasswordReset,
} from './mails/mail-jobs.ts';
import { blockSuspended } from './email-blocks/block-suspended.ts';
import { canonicalEmailBlockRoutes } from './email-blocks/canonical-block-routes.ts';
import { cleanUpActiveUsers } from './clean-up-active-users.ts';
import { cleanUpEmailBlockAttempts } from './email-blocks/clean-up-attempts.ts';
import { emailDomainBlockRoutes } from './email-blocks/domain-block-routes.ts';
import { cleanUpIpBlocks } from './ip-blocks/clean-up-ip-blocks.ts';
import { ipBlockRoutes } from './ip-blocks/routes.ts';
import { mailStaffOfSignUp } from './mails/mail-staff-of-sign-up.ts';
import { sendNotice } from './mails/notices.ts';
import { sendNewSignIn, sendSecurityNotice } from './mails/security-notices.ts';
import { announceSecondFactor, sendSecondFactorNotice } from './mails/second-factor-notice.ts';
import { sendStaffMail } from './mails/staff-mail.ts';
import { announceTerms, sendTermsNotice, sendTermsNotices } from './mails/terms-notice.ts';
import { identityRoutes } from './identity-providers/routes.ts';
import { proofOfWorkRoutes } from './proof-of-work/routes.ts';
import { inviteRoutes } from './invites/routes.ts';
import { cleanUpInvites } from './invites/clean-up-invites.ts';
import { cleanUpUserIps } from './ips/clean-up-user-ips.ts';
import { cleanUpSignUpIps } from './sign-up/clean-up-sign-up-ips.ts';
import { cleanUpUnconfirmedUsers } from './sign-up/clean-up-unconfirmed-users.ts';
import { roleRoutes } from './roles/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { securityRoutes } from './second-factor/routes.ts';
import { preferenceRoutes } from './settings/routes.ts';
import { usernameBlockRoutes } from './username-blocks/routes.ts';
import { deleteUser } from './delete-user.ts';
import { cleanUpSignIns } from './second-factor/pending-sign-ins.ts';
import { cleanUpSessions } from './sign-in/sessions.ts';

export {
  ipBlocksChanged,
  passwordChanged,
  roleChanged,
  sessionsEnded,
  sessionStarted,
  signUpCompleted,
  userAccessChanged,
  userCreated,
} from './events.ts';
export { loadUser } from './load-user.ts';
export type { Privacy, QuotePolicy, UserSettings } from './tables.ts';
export { touchUser } from './touch-user.ts';
export { caches } from './caches.ts';

// Accounts show a highlighted role and whether they take subscribers, but may not query the tables of users.
provideBadges(highlightedRole);
provideEmailSubscribers(takesEmailSubscribers);

export const subscriptions: readonly Subscription[] = [
  sendConfirmation.subscription,
  sendPasswordReset.subscription,
  sendPasswordChanged.subscription,
  sendEmailChangeRequested.subscription,
  sendEmailChanged.subscription,
  sendNotice.subscription,
  sendNewSignIn.subscription,
  sendSecurityNotice.subscription,
  announceSecondFactor.subscription,
  sendSecondFactorNotice.subscription,
  sendStaffMail.subscription,
  mailStaffOfSignUp,
  announceTerms,
  sendTermsNotices.subscription,
  sendTermsNotice.subscription,
  inTransaction([accountDeleted], { run: deleteUser }),
  ...blockSuspended,
];

export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...securityRoutes,
  ...preferenceRoutes,
  ...roleRoutes,
  ...emailDomainBlockRoutes,
  ...canonicalEmailBlockRoutes,
  ...ipBlockRoutes,
  ...usernameBlockRoutes,
  ...inviteRoutes,
  ...identityRoutes,
  ...proofOfWorkRoutes,
];

export const schedules: readonly Schedule[] = [
  { name: 'user.clean_up_sessions', pattern: '23 4 * * *', run: cleanUpSessions },
  cleanUpUserIps,
  cleanUpActiveUsers,
  { name: 'user.clean_up_sign_ins', pattern: '29 4 * * *', run: cleanUpSignIns },
  { name: 'user.clean_up_sign_up_ips', pattern: '37 4 * * *', run: cleanUpSignUpIps },
  { name: 'user.clean_up_invites', pattern: '44 4 * * *', run: cleanUpInvites },
  { name: 'user.clean_up_unconfirmed', pattern: '51 4 * * *', run: cleanUpUnconfirmedUsers },
  cleanUpEmailBlockAttempts,
  cleanUpIpBlocks,
];
