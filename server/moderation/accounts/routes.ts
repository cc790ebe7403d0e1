import { Type } from 'typebox';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import { presentAdminAccount } from './present-admin-accounts.ts';
import { AdminAccount } from './schema.ts';

const readAccess = { access: 'staff:manage_users', scope: 'admin:read|admin:read:accounts' } as const;

export const accountRoutes: readonly Route[] = [
  get('/api/v1/admin/accounts/:id', {
    summary: 'Show an account as staff see it',
    ...readAccess,
    params: Type.Object({ id: idSchema<'account'>() }),
    response: AdminAccount,
    handle: ({ app, viewer, params: { id } }) => presentAdminAccount(app, viewer, id),
  }),
];
