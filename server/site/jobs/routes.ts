import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { conflict, notFound } from '../../platform/http/http-errors.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import type { JobId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { countJobs, listJobs } from '../../platform/work/manage-jobs.ts';
import type { Staff } from '../staff.ts';
import { changeJobs, type JobChange } from './change-jobs.ts';
import { presentCount, presentJob } from './present-jobs.ts';
import { AdminJob, AdminJobCount, jobState } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'job'>() });
const filters = {
  queue: Type.Optional(Type.String({ description: 'Such as mail' })),
  name: Type.Optional(Type.String({ description: 'Of a job, an event or a reaction' })),
  state: Type.Optional(jobState),
};
const access = 'staff:view_devops';
/** Who sees the state of the server may not change it by that alone. */
const writeAccess = { access: 'staff:manage_settings', scope: 'admin:write' } as const;
const changed = Type.Object({ jobs: Type.Integer({ description: 'How many were changed' }) });

/** Stored jobs; Mastodon shows its own on pages of Sidekiq. */
export const jobRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/jobs', {
    summary: 'List stored jobs, newest first',
    access,
    scope: 'admin:read',
    input: Type.Object({ ...pageInput(limits), ...filters }),
    response: Type.Array(AdminJob),
    async handle({ app, request, input: { queue, name, state, ...input } }) {
      const page = parsePage(input, limits);
      const rows = await listJobs(app, { queue, name, state }, page);
      return paginated(app, request, { json: rows.map(presentJob), ...pageEnds(page, rows) });
    },
  }),
  get('/api/v1/fieldfare/admin/jobs/counts', {
    summary: 'Count stored jobs by queue and state',
    access,
    scope: 'admin:read',
    response: Type.Array(AdminJobCount),
    handle: async ({ app }) => (await countJobs(app)).map(presentCount),
  }),
  post('/api/v1/fieldfare/admin/jobs/retry', {
    summary: 'Let all failed jobs run now, or those of a filter',
    ...writeAccess,
    input: Type.Object(filters),
    response: changed,
    handle: async ({ app, viewer, input }) => ({
      jobs: await changeJobs(app, viewer.accountId, { change: 'retry', filter: input }),
    }),
  }),
  post('/api/v1/fieldfare/admin/jobs/:id/retry', {
    summary: 'Let a failed job run now, with all its attempts; 409 if it did not fail or is running',
    ...writeAccess,
    params,
    response: Type.Object({}),
    handle: ({ app, viewer, params: { id } }) => changeJob(app, viewer.accountId, { id, change: 'retry' }),
  }),
  del('/api/v1/fieldfare/admin/jobs/:id', {
    summary: 'Delete a job, whose work is then not done; 409 while it is running',
    ...writeAccess,
    params,
    response: Type.Object({}),
    handle: ({ app, viewer, params: { id } }) => changeJob(app, viewer.accountId, { id, change: 'delete' }),
  }),
];

async function changeJob(
  app: App,
  staff: Staff,
  { id, change }: { readonly id: JobId; readonly change: JobChange },
): Promise<object> {
  const filter = { ids: [id] };
  if ((await changeJobs(app, staff, { change, filter })) > 0) return {};
  const [job] = await listJobs(app, filter, parsePage({}, limits));
  throw job === undefined ? notFound() : conflict('moderation.jobUnchangeable');
}
