// Users: those who sign in to this server, their passwords, sessions, e-mail addresses, roles and preferences.
import type { Schedule } from '../platform/jobs/schedule.ts';
import { afterCommit, beforeCommit, type Subscription } from '../platform/events/reactions.ts';
import { accountDeleted, accountUpdated, provideBadges } from '../accounts/index.ts';
import { highlightedRole } from './badges.ts';
import {
  sendConfirmation,
  sendEmailChanged,
  sendEmailChangeRequested,
  sendPasswordChanged,
  sendPasswordReset,
} from './mail-jobs.ts';
import { sendNotice } from './notices.ts';
import { forgetAddresses } from './forget-addresses.ts';
import { removeUnconfirmed } from './remove-unconfirmed.ts';
import { removeUser } from './remove-user.ts';
import { removeOldSessions } from './sessions.ts';
import { dropUserSettings, userSettingsChanged } from './user-settings.ts';

export { changePassword, isResetToken, requestPasswordReset, resetPassword, setPassword } from './change-password.ts';
export { requirePassword } from './check-password.ts';
export { changeEmail, confirmEmail, resendConfirmation, type Confirmation } from './confirm-email.ts';
export { createUser, type CreatedUser, type NewUser } from './create-user.ts';
export { passwordChanged, userAccessChanged, userApproved, userConfirmed, userSignedUp } from './events.ts';
export { enqueueNotice } from './notices.ts';
export { createOwner, isOwnerSetupSecret, ownerSetupLink } from './owner-setup.ts';
export { findUser, type UserFacts } from './find-user.ts';
export { presentRole, Role } from './present-role.ts';
export { refusalOf } from './refusal.ts';
export { everyoneRoleId, hasPermission, permissionBits, standardRoles } from './roles.ts';
export type { Permission, StandardRole } from './roles.ts';
export { hashSecret, newSecret } from './secrets.ts';
export { endSession, findSession, sessionDays, startSession, type Session } from './sessions.ts';
export { signIn } from './sign-in.ts';
export type { Privacy, QuotePolicy, UserSettings } from './tables.ts';
export { touchUser } from './touch-user.ts';
export { approveUser, changeRole, rejectUser, setUserDisabled } from './user-access.ts';
export { type FilledSettings, updateUserSettings, userSettings, userSettingsChanged } from './user-settings.ts';

provideBadges(highlightedRole);

export const subscriptions: readonly Subscription[] = [
  sendConfirmation.subscription,
  sendPasswordReset.subscription,
  sendPasswordChanged.subscription,
  sendEmailChangeRequested.subscription,
  sendEmailChanged.subscription,
  sendNotice.subscription,
  afterCommit([userSettingsChanged], { run: dropUserSettings }),
  // Who has a locked account posts privately by default.
  afterCommit([accountUpdated], { run: dropUserSettings }),
  beforeCommit([accountDeleted], { run: removeUser }),
  afterCommit([accountDeleted], { run: dropUserSettings }),
];

export const schedules: readonly Schedule[] = [
  { name: 'remove-old-sessions', pattern: '23 4 * * *', run: removeOldSessions },
  { name: 'forget-sign-up-addresses', pattern: '37 4 * * *', run: forgetAddresses },
  { name: 'remove-unconfirmed-users', pattern: '51 4 * * *', run: removeUnconfirmed },
];
