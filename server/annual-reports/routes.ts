import { Type } from 'typebox';
import { emptyResponse, HttpResponse } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { get, post, type CurrentUser } from '../platform/http/routes.ts';
import { parseYear } from './campaign.ts';
import { findReport, listUnseenReports, markReportSeen } from './find-reports.ts';
import { loadReportState, reportRefreshHeader, requestReport } from './generate-report.ts';
import type { AccountYear } from './posts-of-year.ts';
import { presentReports } from './present-reports.ts';
import { WrappedAnnualReports } from './schema.ts';

const readAccess = { access: 'user', scope: 'read|read:accounts' } as const;
const writeAccess = { access: 'user', scope: 'write|write:accounts' } as const;
const params = Type.Object({ year: Type.String() });

export const routes = [
  get('/api/v1/annual_reports', {
    summary: 'List the annual reports that the viewer has not seen',
    ...readAccess,
    response: WrappedAnnualReports,
    handle: async ({ app, viewer }) => presentReports(app, viewer, await listUnseenReports(app, viewer.accountId)),
  }),

  get('/api/v1/annual_reports/:year', {
    summary: 'Show the annual report of a year',
    ...readAccess,
    params,
    response: WrappedAnnualReports,
    async handle({ app, viewer, params: { year } }) {
      const report = await findReport(app, requireYear(viewer, year));
      if (report === undefined) throw notFound();
      return presentReports(app, viewer, [report]);
    },
  }),

  get('/api/v1/annual_reports/:year/state', {
    summary: 'Show whether the annual report of a year exists or can be generated',
    ...readAccess,
    params,
    response: Type.Object({ state: Type.Enum(['available', 'generating', 'eligible', 'ineligible']) }),
    hasRefresh: true,
    async handle({ app, viewer, params: { year } }) {
      const accountYear = findYear(viewer, year);
      const state = accountYear === undefined ? 'ineligible' : await loadReportState(app, accountYear);
      const isGenerating = accountYear !== undefined && state === 'generating';
      const headers = isGenerating ? await reportRefreshHeader(app, accountYear) : {};
      return new HttpResponse({ json: { state }, headers });
    },
  }),

  post('/api/v1/annual_reports/:year/generate', {
    summary: 'Generate the annual report of a year, from 10 to 31 December; 200 if it exists or it is another time',
    ...writeAccess,
    params,
    response: Type.Object({}),
    otherStatuses: { 202: 'The report is being generated' },
    hasRefresh: true,
    async handle({ app, viewer, params: { year } }) {
      const accountYear = findYear(viewer, year);
      if (accountYear === undefined || !(await requestReport(app, accountYear))) return {};
      return emptyResponse(202, await reportRefreshHeader(app, accountYear));
    },
  }),

  post('/api/v1/annual_reports/:year/read', {
    summary: 'Mark an annual report as seen',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { year } }) {
      await markReportSeen(app, requireYear(viewer, year));
      return {};
    },
  }),
];

function findYear({ accountId }: CurrentUser, text: string): AccountYear | undefined {
  const year = parseYear(text);
  return year === undefined ? undefined : { accountId, year };
}

function requireYear(viewer: CurrentUser, text: string): AccountYear {
  const found = findYear(viewer, text);
  if (found === undefined) throw notFound();
  return found;
}
