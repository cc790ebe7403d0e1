import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createAppeal } from '../appeals/create-appeal.ts';
import { findStrike, listStrikes } from './list-strikes.ts';
import { AccountWarning } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };

/** Decisions of staff, for their users and for staff. Users who may not use the API otherwise can read and appeal them. */
export const strikeRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/strikes', {
    summary: 'List the decisions of staff about your account, newest first',
    access: 'user',
    scope: 'read|read:accounts',
    allowUnconfirmed: true,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AccountWarning),
    async handle({ app, viewer, request, input }) {
      const page = parsePage(input, limits);
      const { strikes, ...ends } = await listStrikes(app, viewer, { accountId: viewer.accountId, page });
      return paginated(app, request, { json: strikes, ...ends });
    },
  }),
  post('/api/v1/fieldfare/strikes/:id/appeal', {
    summary: 'Appeal a decision of staff about your account, once and within 20 days',
    access: 'user',
    scope: 'write|write:accounts',
    allowUnconfirmed: true,
    rateLimit: 'reports',
    params: Type.Object({ id: idSchema<'warning'>() }),
    input: Type.Object({ text: Type.String({ description: 'At most 2000 characters' }) }),
    response: AccountWarning,
    async handle({ app, viewer, params: { id }, input: { text } }) {
      await createAppeal(app, viewer.accountId, { warningId: id, text });
      return findStrike(app, viewer, id);
    },
  }),
  get('/api/v1/fieldfare/admin/accounts/:id/strikes', {
    summary: 'List the decisions of staff about an account, newest first',
    access: 'staff:manage_users|manage_reports|manage_appeals',
    scope: 'admin:read|admin:read:accounts',
    params: Type.Object({ id: idSchema<'account'>() }),
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AccountWarning),
    async handle({ app, viewer, request, params: { id }, input }) {
      const { strikes, ...ends } = await listStrikes(app, viewer, { accountId: id, page: parsePage(input, limits) });
      return paginated(app, request, { json: strikes, ...ends });
    },
  }),
];
