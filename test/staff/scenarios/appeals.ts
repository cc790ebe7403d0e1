import { warnUser } from '../../../server/moderation/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/appeals';

const onAppeal =
  (action: string) =>
  async (server: TestServer): Promise<StaffRequest> => {
    const subject = await server.user('subject');
    await warnUser(server.app, 'system', { accountId: subject.id, notify: false });
    const [{ id: strike }] = (await subject.get('/api/v1/fieldfare/strikes')).json;
    await subject.post(`/api/v1/fieldfare/strikes/${strike}/appeal`, { text: 'It was not me' });
    const { id } = await server.db.selectFrom('appeals').select('id').executeTakeFirstOrThrow();
    return { path: `${path}/${id}/${action}`, target: subject.id };
  };

export const appealScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}/:id/approve`]: onAppeal('approve'),
  [`POST ${path}/:id/reject`]: onAppeal('reject'),
  'GET /api/v1/fieldfare/admin/accounts/:id/strikes': async (server) => ({
    path: `/api/v1/fieldfare/admin/accounts/${(await server.user('subject')).id}/strikes`,
  }),
};
