import { disableUser, sensitizeAccount, silenceAccount, suspendAccount } from '../../../server/moderation/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/admin/accounts';

type Limit = typeof disableUser;

/** A request about an account that staff limited before. */
const onLimited =
  (action: string, limit: Limit) =>
  async (server: TestServer): Promise<StaffRequest> => {
    const { id } = await server.user('subject');
    await limit(server.app, 'system', { accountId: id, notify: false });
    return { path: `${path}/${id}${action}`, target: id };
  };

const onPending =
  (action: string) =>
  async (server: TestServer): Promise<StaffRequest> => {
    const { id } = await server.user('subject', { approved: false });
    return { path: `${path}/${id}/${action}`, target: id };
  };

const credentials = '/api/v1/fieldfare/admin/accounts';

/** A request about the e-mail address of a user who has not confirmed it. */
const onUnconfirmed =
  (action: string, body?: StaffRequest['body']) =>
  async (server: TestServer): Promise<StaffRequest> => {
    const { id } = await server.user('subject', { confirmed: false });
    return { path: `${credentials}/${id}/${action}`, target: id, ...(body !== undefined && { body }) };
  };

export const accountScenarios: StaffScenarios = {
  [`POST ${credentials}/:id/email`]: onUnconfirmed('email', { email: 'other@mail.test' }),
  [`POST ${credentials}/:id/confirm`]: onUnconfirmed('confirm'),
  [`POST ${credentials}/:id/resend_confirmation`]: onUnconfirmed('resend_confirmation'),
  'GET /api/v1/admin/accounts': async () => ({ path }),
  'GET /api/v2/admin/accounts': async () => ({ path: '/api/v2/admin/accounts' }),
  'GET /api/v1/admin/accounts/:id': async (server) => ({ path: `${path}/${(await server.user('subject')).id}` }),
  'POST /api/v1/admin/accounts/:id/approve': onPending('approve'),
  'POST /api/v1/admin/accounts/:id/reject': onPending('reject'),
  'DELETE /api/v1/admin/accounts/:id': onLimited('', suspendAccount),
  'POST /api/v1/admin/accounts/:id/enable': onLimited('/enable', disableUser),
  'POST /api/v1/admin/accounts/:id/unsilence': onLimited('/unsilence', silenceAccount),
  'POST /api/v1/admin/accounts/:id/unsuspend': onLimited('/unsuspend', suspendAccount),
  'POST /api/v1/admin/accounts/:id/unsensitive': onLimited('/unsensitive', sensitizeAccount),
  'POST /api/v1/admin/accounts/:id/action': async (server) => {
    const { id } = await server.user('subject');
    return { path: `${path}/${id}/action`, body: { type: 'silence' }, target: id };
  },
};
