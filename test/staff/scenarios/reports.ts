import { resolveReport, addReportNote, assignReport } from '../../../server/moderation/reports/index.ts';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { reportAccount, type ReportId } from '../../../server/reports/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const reports = '/api/v1/admin/reports';
const own = '/api/v1/fieldfare/admin/reports';

/** Reports a local account. */
async function report(server: TestServer): Promise<ReportId> {
  const [reporter, target] = [await server.user('reporter'), await server.user('reported')];
  return reportAccount(server.app, reporter.id, { targetAccountId: target.id });
}

async function reportRemote(server: TestServer): Promise<ReportId> {
  const reporter = await server.user('reporter');
  const uri = 'https://far.test/users/spammer';
  const account = { uri, username: 'spammer', domain: 'far.test', inboxUrl: `${uri}/inbox` };
  const targetAccountId: AccountId = await transaction(server.app, (tx) => storeRemoteAccount(tx, server.app, account));
  server.expectUndelivered('far.test');
  return reportAccount(server.app, reporter.id, { targetAccountId });
}

const at =
  (path: (id: ReportId) => string, body?: StaffRequest['body']) =>
  async (server: TestServer): Promise<StaffRequest> => ({
    path: path(await report(server)),
    ...(body !== undefined && { body }),
  });

export const reportScenarios: StaffScenarios = {
  [`GET ${reports}`]: at(() => reports),
  [`GET ${reports}/:id`]: at((id) => `${reports}/${id}`),
  [`PUT ${reports}/:id`]: at((id) => `${reports}/${id}`, { category: 'spam' }),
  [`POST ${reports}/:id/assign_to_self`]: at((id) => `${reports}/${id}/assign_to_self`),
  [`POST ${reports}/:id/unassign`]: async (server) => {
    const id = await report(server);
    const { id: assigneeId } = await server.user('assigned');
    await assignReport(server.app, 'system', { id, assigneeId });
    return { path: `${reports}/${id}/unassign` };
  },
  [`POST ${reports}/:id/resolve`]: at((id) => `${reports}/${id}/resolve`),
  [`POST ${reports}/:id/reopen`]: async (server) => {
    const id = await report(server);
    await resolveReport(server.app, 'system', id);
    return { path: `${reports}/${id}/reopen` };
  },
  [`POST ${own}/:id/forward`]: async (server) => ({ path: `${own}/${await reportRemote(server)}/forward` }),
  [`POST ${own}/:id/status_action`]: async (server) => {
    const [reporter, target] = [await server.user('reporter'), await server.user('reported')];
    const { id: statusId } = (await target.post('/api/v1/statuses', { status: 'Spam' })).json;
    const id = await reportAccount(server.app, reporter.id, { targetAccountId: target.id, statusIds: [statusId] });
    return { path: `${own}/${id}/status_action`, body: { type: 'delete_statuses' }, target: target.id };
  },
  [`GET ${own}/:id/statuses`]: at((id) => `${own}/${id}/statuses`),
  [`GET ${own}/:id/notes`]: at((id) => `${own}/${id}/notes`),
  [`POST ${own}/:id/notes`]: at((id) => `${own}/${id}/notes`, { content: 'Known spammer' }),
  [`DELETE ${own}/:id/notes/:note_id`]: async (server) => {
    const reportId = await report(server);
    const note = await addReportNote(server.app, 'system', { reportId, content: 'Known spammer' });
    return { path: `${own}/${reportId}/notes/${note.id}` };
  },
};
