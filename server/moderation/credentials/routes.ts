import { Type } from 'typebox';
import { post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { presentAdminAccount } from '../accounts/present-admin-accounts.ts';
import { AdminAccount } from '../accounts/schema.ts';
import { changeEmailAsStaff, confirmEmailAsStaff, resendConfirmationAsStaff } from './change-email.ts';

const access = { access: 'staff:manage_user_access', scope: 'admin:write|admin:write:accounts' } as const;
const params = Type.Object({ id: idSchema<'account'>() });

/** What Mastodon offers on pages only. */
export const credentialRoutes: readonly Route[] = [
  post('/api/v1/fieldfare/admin/accounts/:id/email', {
    summary: 'Change the e-mail address of a user, once the link in a mail confirms it, and notify the old one',
    ...access,
    params,
    input: Type.Object({
      email: Type.String(),
      confirmed: Type.Optional(Type.Boolean({ description: 'No link is sent: the address counts at once' })),
    }),
    response: AdminAccount,
    async handle({ app, viewer, params: { id }, input: { email, confirmed: isConfirmed = false } }) {
      await changeEmailAsStaff(app, viewer.accountId, { accountId: id, email, isConfirmed });
      return presentAdminAccount(app, viewer, id);
    },
  }),
  post('/api/v1/fieldfare/admin/accounts/:id/confirm', {
    summary: 'Confirm the e-mail address of a user, or the new one; no-op if it is confirmed',
    ...access,
    params,
    response: AdminAccount,
    async handle({ app, viewer, params: { id } }) {
      await confirmEmailAsStaff(app, viewer.accountId, { accountId: id });
      return presentAdminAccount(app, viewer, id);
    },
  }),
  post('/api/v1/fieldfare/admin/accounts/:id/resend_confirmation', {
    summary: 'Send the link again that confirms the e-mail address of a user; 403 if it is confirmed',
    ...access,
    params,
    response: AdminAccount,
    async handle({ app, viewer, params: { id } }) {
      await resendConfirmationAsStaff(app, viewer.accountId, { accountId: id });
      return presentAdminAccount(app, viewer, id);
    },
  }),
];
