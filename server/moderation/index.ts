// Moderation: decisions of staff about accounts, with their author and the mail to the user.
import { accountDeleted } from '../accounts/index.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Route } from '../platform/http/routes.ts';
import { accountListRoutes } from './accounts/list-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { mailStaffAboutAppeals } from './appeals/mail-staff.ts';
import { appealRoutes } from './appeals/routes.ts';
import { mailStaffAboutHeldPost, mailStaffAboutHeldPosts } from './held-posts/mail-staff.ts';
import { heldPostRoutes } from './held-posts/routes.ts';
import { applyRuleActions } from './rules/apply-actions.ts';
import { ruleRoutes } from './rules/routes.ts';
import { undoMatches } from './rules/undo-rule.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { forgetDeletedAccount, storeEntries } from './audit-log/store-entries.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { deleteLongSuspended } from './delete-long-suspended.ts';
import { noteRoutes } from './notes/routes.ts';
import { presetRoutes } from './presets/routes.ts';
import { reportEvidenceRoutes } from './reports/evidence-routes.ts';
import { anonymizeReportNotes } from './reports/report-notes.ts';
import { reportRoutes } from './reports/routes.ts';
import { fetchDueLists, fetchList } from './domain-lists/fetch-list.ts';
import { domainListRoutes } from './domain-lists/routes.ts';
import { serverRoutes } from './servers/routes.ts';
import { statusActionRoutes } from './statuses/routes.ts';
import { deleteWarnings } from './warnings/delete-warnings.ts';
import { strikeRoutes } from './warnings/routes.ts';

export { accountWarned, remoteStatusesDeleted } from './events.ts';
export { approveSignUp } from './approve-sign-up.ts';
export { changeUserRole } from './change-user-role.ts';
export { deleteAccountAsStaff } from './delete-account-as-staff.ts';
export { rejectSignUp } from './reject-sign-up.ts';
export { enableUser, unsensitizeAccount, unsilenceAccount, unsuspendAccount } from './actions/lift-limits.ts';
export { disableUser, sensitizeAccount, silenceAccount, suspendAccount, warnUser } from './actions/limit-account.ts';

export const subscriptions: readonly Subscription[] = [
  storeEntries,
  forgetDeletedAccount,
  mailStaffAboutAppeals,
  mailStaffAboutHeldPost,
  fetchList.subscription,
  applyRuleActions,
  undoMatches.subscription,
  inTransaction([accountDeleted], { run: (tx, _app, { accountId }) => deleteWarnings(tx, accountId) }),
  inTransaction([accountDeleted], { run: (tx, _app, { accountId }) => anonymizeReportNotes(tx, accountId) }),
];

export const schedules: readonly Schedule[] = [fetchDueLists, deleteLongSuspended, mailStaffAboutHeldPosts];

export const routes: readonly Route[] = [
  ...domainListRoutes,
  ...serverRoutes,
  ...accountListRoutes,
  ...accountRoutes,
  ...credentialRoutes,
  ...appealRoutes,
  ...strikeRoutes,
  ...presetRoutes,
  ...reportRoutes,
  ...reportEvidenceRoutes,
  ...statusActionRoutes,
  ...heldPostRoutes,
  ...ruleRoutes,
  ...noteRoutes,
  ...auditLogRoutes,
];
