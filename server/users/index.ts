// Users: people with a local account, their passwords, sessions, e-mail addresses, roles and preferences.
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { beforeCommit, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { provideBadges } from '../accounts/present/index.ts';
import { highlightedRole } from './access/badges.ts';
import {
  sendConfirmation,
  sendEmailChanged,
  sendEmailChangeRequested,
  sendPasswordChanged,
  sendPasswordReset,
} from './mails/mail-jobs.ts';
import { sendNotice } from './mails/notices.ts';
import { cleanUpSignUpIps } from './sign-up/clean-up-sign-up-ips.ts';
import { cleanUpUnconfirmedUsers } from './sign-up/clean-up-unconfirmed-users.ts';
import { deleteUser } from './delete-user.ts';
import { cleanUpSessions } from './sign-in/sessions.ts';

export {
  changePassword,
  isResetToken,
  requestPasswordReset,
  resetPassword,
  setPassword,
} from './sign-in/change-password.ts';
export { assertPassword } from './sign-in/check-password.ts';
export { changeEmail, confirmEmail, resendConfirmation, type Confirmation } from './sign-up/confirm-email.ts';
export { createUser, type CreatedUser, type NewUser } from './sign-up/create-user.ts';
export { passwordChanged, userAccessChanged, userApproved, userConfirmed, userSignedUp } from './events.ts';
export { enqueueNotice } from './mails/notices.ts';
export { createOwner, isOwnerSetupSecret, createOwnerSetupLink } from './sign-up/owner-setup.ts';
export { loadUser, type UserSummary } from './load-user.ts';
export { presentRole, Role } from './access/present-role.ts';
export { refusalOf } from './access/refusal.ts';
export { everyoneRoleId, hasPermission, permissionBits, standardRoles } from './access/roles.ts';
export type { Permission, StandardRole } from './access/roles.ts';
export { hashSecret, newSecret } from './sign-in/secrets.ts';
export { deleteSession, findSession, sessionTtlDays, createSession, type Session } from './sign-in/sessions.ts';
export { signIn } from './sign-in/sign-in.ts';
export type { Privacy, QuotePolicy, UserSettings } from './tables.ts';
export { touchUser } from './touch-user.ts';
export { approveUser, changeRole, rejectUser, setUserDisabled } from './access/user-access.ts';
export {
  type ResolvedUserSettings,
  updateUserSettings,
  loadUserSettings,
  userSettingsChanged,
} from './settings/user-settings.ts';

// Accounts show a highlighted role, but may not query the tables of users.
provideBadges(highlightedRole);

export const subscriptions: readonly Subscription[] = [
  sendConfirmation.subscription,
  sendPasswordReset.subscription,
  sendPasswordChanged.subscription,
  sendEmailChangeRequested.subscription,
  sendEmailChanged.subscription,
  sendNotice.subscription,
  beforeCommit([accountDeleted], { run: deleteUser }),
];

export const schedules: readonly Schedule[] = [
  { name: 'user.clean_up_sessions', pattern: '23 4 * * *', run: cleanUpSessions },
  { name: 'user.clean_up_sign_up_ips', pattern: '37 4 * * *', run: cleanUpSignUpIps },
  { name: 'user.clean_up_unconfirmed', pattern: '51 4 * * *', run: cleanUpUnconfirmedUsers },
];
