import { Type } from 'typebox';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, put, routeOptions, type Route } from '../../platform/http/routes.ts';
import { filterIdSchema, idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { ReportCategory, type ReportId } from '../../reports/index.ts';
import { listReports } from '../../reports/review/index.ts';
import type { Staff } from '../../site/index.ts';
import type { App } from '../../platform/app.ts';
import { presentAdminReport, presentAdminReports } from './present-admin-reports.ts';
import { assignReport, forwardReport, reopenReport, resolveReport, updateReport } from './review-report.ts';
import { AdminReport } from './schema.ts';

const readAccess = { access: 'staff:manage_reports', scope: 'admin:read|admin:read:reports' } as const;
const writeAccess = { access: 'staff:manage_reports', scope: 'admin:write|admin:write:reports' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'report'>() });

/** Options of a route that does something with a report, and returns it. */
const action = (summary: string, run: (app: App, staff: Exclude<Staff, 'system'>, id: ReportId) => Promise<boolean>) =>
  routeOptions({
    summary,
    ...writeAccess,
    params,
    response: AdminReport,
    async handle({ app, viewer, params: { id } }) {
      await run(app, viewer.accountId, id);
      return presentAdminReport(app, viewer, id);
    },
  });

export const reportRoutes: readonly Route[] = [
  get('/api/v1/admin/reports', {
    summary: 'List reports for staff, newest first; the unresolved ones by default',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      resolved: Type.Optional(Type.Boolean({ description: 'Only resolved ones; with `unresolved`, all' })),
      unresolved: Type.Optional(Type.Boolean()),
      account_id: Type.Optional(filterIdSchema<'account'>()),
      target_account_id: Type.Optional(filterIdSchema<'account'>()),
      category: Type.Optional(ReportCategory),
      origin: Type.Optional(Type.Enum(['local', 'remote'], { description: 'Of the reported account' })),
      assigned: Type.Optional(Type.Enum(['me', 'nobody'], { description: 'Who works on it' })),
    }),
    response: Type.Array(AdminReport),
    async handle({ app, viewer, input, request }) {
      const { reports, ...ends } = await listReports(app, parsePage(input, limits), {
        state: input.resolved !== true ? 'open' : input.unresolved === true ? 'all' : 'resolved',
        accountId: input.account_id,
        targetAccountId: input.target_account_id,
        category: input.category,
        origin: input.origin,
        assigneeId: input.assigned && (input.assigned === 'me' ? viewer.accountId : null),
      });
      const json = joinJsonList(await presentAdminReports(app, viewer, reports));
      return paginated(app, request, { json, ...ends });
    },
  }),
  get('/api/v1/admin/reports/:id', {
    summary: 'Show a report to staff',
    ...readAccess,
    params,
    response: AdminReport,
    handle: ({ app, viewer, params: { id } }) => presentAdminReport(app, viewer, id),
  }),
  put('/api/v1/admin/reports/:id', {
    summary: 'Change the category and the broken rules of a report',
    ...writeAccess,
    params,
    input: Type.Object({
      category: Type.Optional(ReportCategory),
      rule_ids: Type.Optional(
        Type.Array(uncheckedIdSchema(), { description: 'The broken rules; only with the category violation' }),
      ),
    }),
    response: AdminReport,
    async handle({ app, viewer, params: { id }, input: { category, rule_ids: ruleIds } }) {
      await updateReport(app, viewer.accountId, { id, category, ruleIds });
      return presentAdminReport(app, viewer, id);
    },
  }),
  post(
    '/api/v1/admin/reports/:id/assign_to_self',
    action('Take on a report', (app, staff, id) => assignReport(app, staff, { id, assigneeId: staff })),
  ),
  post(
    '/api/v1/admin/reports/:id/unassign',
    action('Let others take on a report', (app, staff, id) => assignReport(app, staff, { id, assigneeId: null })),
  ),
  post('/api/v1/admin/reports/:id/resolve', action('Close a report', resolveReport)),
  post('/api/v1/admin/reports/:id/reopen', action('Open a closed report again', reopenReport)),
  post(
    '/api/v1/fieldfare/admin/reports/:id/forward',
    action('Send a copy of a report to the server of the account, without the name of the reporter', forwardReport),
  ),
];
