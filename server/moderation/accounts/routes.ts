import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { Staff } from '../../site/index.ts';
import type { ModerationDecision } from '../apply-decision.ts';
import { approveSignUp } from '../approve-sign-up.ts';
import { changeUserRole } from '../change-user-role.ts';
import { enableUser, unsensitizeAccount, unsilenceAccount, unsuspendAccount } from '../actions/lift-limits.ts';
import { actionTypes, takeAction } from '../actions/take-action.ts';
import { deleteSuspendedAccount } from '../delete-suspended-account.ts';
import { rejectSignUp } from '../reject-sign-up.ts';
import { presentAdminAccount } from './present-admin-accounts.ts';
import { AdminAccount } from './schema.ts';

const readAccess = { access: 'staff:manage_users', scope: 'admin:read|admin:read:accounts' } as const;
const writeScope = 'admin:write|admin:write:accounts';
const writeAccess = { access: 'staff:manage_users', scope: writeScope } as const;
const params = Type.Object({ id: idSchema<'account'>() });
const emptyObject = Type.Object({});

type Decide = (app: App, staff: Staff, decision: ModerationDecision) => Promise<unknown>;

/** A route that decides about an account and returns it. */
const decisionRoute = (path: `/api/v1/admin/accounts/:id/${string}`, summary: string, decide: Decide): Route =>
  post(path, {
    summary,
    ...writeAccess,
    params,
    response: AdminAccount,
    async handle({ app, viewer, params: { id } }) {
      await decide(app, viewer.accountId, { accountId: id });
      return presentAdminAccount(app, viewer, id);
    },
  });

/** Throws 403 if the sign-up was approved before, as Mastodon does. */
const approveOnce: Decide = async (app, staff, decision) => {
  if (!(await approveSignUp(app, staff, decision))) throw forbidden('users.alreadyApproved');
};

/** Throws 403 if the account is not suspended, as Mastodon does. */
const unsuspend: Decide = async (app, staff, decision) => {
  if (!(await unsuspendAccount(app, staff, decision))) throw forbidden('users.notSuspended');
};

const actionInput = Type.Object({
  type: Type.Enum([...actionTypes]),
  report_id: Type.Optional(idSchema<'report'>()),
  warning_preset_id: Type.Optional(idSchema<'warning-preset'>()),
  text: Type.Optional(Type.String({ description: 'Message to the user, at most 5000 characters' })),
  send_email_notification: Type.Optional(
    Type.Boolean({ description: 'Whether the user is notified; true by default' }),
  ),
});

export const accountRoutes: readonly Route[] = [
  get('/api/v1/admin/accounts/:id', {
    summary: 'Show an account as staff see it',
    ...readAccess,
    params,
    response: AdminAccount,
    handle: ({ app, viewer, params: { id } }) => presentAdminAccount(app, viewer, id),
  }),
  decisionRoute('/api/v1/admin/accounts/:id/approve', 'Approve a pending sign-up', approveOnce),
  post('/api/v1/admin/accounts/:id/reject', {
    summary: 'Reject a pending sign-up and delete its account',
    ...writeAccess,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await rejectSignUp(app, viewer.accountId, { accountId: id });
      return {};
    },
  }),
  del('/api/v1/admin/accounts/:id', {
    summary: 'Delete a suspended account with all its data',
    access: 'staff:delete_user_data',
    scope: writeScope,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await deleteSuspendedAccount(app, viewer.accountId, { accountId: id });
      return {};
    },
  }),
  post('/api/v1/admin/accounts/:id/action', {
    summary: 'Warn, disable, limit or suspend an account, and resolve its reports',
    access: 'staff:manage_users|manage_reports',
    scope: writeScope,
    params,
    input: actionInput,
    response: emptyObject,
    async handle({ app, viewer, params: { id }, input }) {
      await takeAction(app, viewer.accountId, {
        accountId: id,
        type: input.type,
        text: input.text,
        presetId: input.warning_preset_id,
        reportId: input.report_id,
        notify: input.send_email_notification,
      });
      return {};
    },
  }),
  post('/api/v1/fieldfare/admin/accounts/:id/role', {
    summary: 'Assign a role below your own to a user; the role -99 is that of every user',
    access: 'staff:manage_roles',
    scope: writeScope,
    params,
    input: Type.Object({ role_id: idSchema<'role'>() }),
    response: AdminAccount,
    async handle({ app, viewer, params: { id }, input }) {
      await changeUserRole(app, viewer.accountId, { accountId: id, roleId: input.role_id });
      return presentAdminAccount(app, viewer, id);
    },
  }),
  decisionRoute('/api/v1/admin/accounts/:id/enable', 'Let a disabled user sign in again', enableUser),
  decisionRoute('/api/v1/admin/accounts/:id/unsilence', 'Lift the limit of an account', unsilenceAccount),
  decisionRoute('/api/v1/admin/accounts/:id/unsuspend', 'Lift the suspension of an account', unsuspend),
  decisionRoute(
    '/api/v1/admin/accounts/:id/unsensitive',
    'Stop to show all media of an account as sensitive',
    unsensitizeAccount,
  ),
];
