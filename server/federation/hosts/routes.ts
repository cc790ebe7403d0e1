import { Type } from 'typebox';
import { normalizeDomain } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { clampLimit, paginatedByName } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { deleteHostQueue, retryHost } from './change-host.ts';
import { pauseHost, resumePausedHost } from './pause-host.ts';
import { countQueues, findHost, listFailingHosts, type ListedHost } from './list-hosts.ts';
import { presentHost, presentQueue } from './present-hosts.ts';
import { AdminFederationQueue, AdminHost, ChangedActivities } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 200 };
const params = Type.Object({ domain: Type.String() });
const access = 'staff:manage_federation';
const read = { access, scope: 'admin:read' } as const;
const write = { access, scope: 'admin:write' } as const;

/** The exchange with other servers; Mastodon shows less of it on pages of its own. */
export const hostRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/federation/queues', {
    summary: 'Count the activities that wait, in both directions',
    ...read,
    response: Type.Array(AdminFederationQueue),
    handle: async ({ app }) => (await countQueues(app)).map(presentQueue),
  }),
  get('/api/v1/fieldfare/admin/federation/hosts', {
    summary: 'List the servers to which deliveries fail or are held back, by domain',
    ...read,
    input: Type.Object({
      after: Type.Optional(Type.String({ description: 'Only servers after this domain' })),
      limit: Type.Optional(Type.Integer({ description: '40 when not given, at most 200' })),
    }),
    response: Type.Array(AdminHost),
    async handle({ app, request, input }) {
      const limit = clampLimit(input.limit, limits);
      const hosts = await listFailingHosts(app, { after: input.after, limit });
      const last = hosts.length === limit ? hosts.at(-1)?.domain : undefined;
      return paginatedByName(app, request, { json: hosts.map(presentHost), last });
    },
  }),
  get('/api/v1/fieldfare/admin/federation/hosts/:domain', {
    summary: 'Show a server and the state of deliveries to it',
    ...read,
    params,
    response: AdminHost,
    handle: async ({ app, params: { domain } }) => presentHost(await requireHost(app, domain)),
  }),
  post('/api/v1/fieldfare/admin/federation/hosts/:domain/retry', {
    summary: 'Let all deliveries to a server run now, and process activities from it again that failed',
    ...write,
    params,
    response: ChangedActivities,
    async handle({ app, viewer, params: { domain } }) {
      const host = await requireHost(app, domain);
      return retryHost(app, viewer.accountId, { host: host.domain });
    },
  }),
  post('/api/v1/fieldfare/admin/federation/hosts/:domain/pause', {
    summary: 'Stop deliveries to a server until they are resumed; they stay stored for a week',
    ...write,
    params,
    response: AdminHost,
    async handle({ app, viewer, params: { domain } }) {
      const paused = await pauseHost(app, viewer.accountId, normalizeDomain(domain) ?? domain);
      return presentHost(await requireHost(app, paused));
    },
  }),
  post('/api/v1/fieldfare/admin/federation/hosts/:domain/resume', {
    summary: 'Send deliveries to a paused server again, oldest first',
    ...write,
    params,
    response: AdminHost,
    async handle({ app, viewer, params: { domain } }) {
      const host = await requireHost(app, domain);
      await resumePausedHost(app, viewer.accountId, host.domain);
      return presentHost(await requireHost(app, host.domain));
    },
  }),
  del('/api/v1/fieldfare/admin/federation/hosts/:domain/queue', {
    summary: 'Delete the deliveries to a server that wait, and activities from it that failed',
    ...write,
    params,
    response: ChangedActivities,
    async handle({ app, viewer, params: { domain } }) {
      const host = await requireHost(app, domain);
      return deleteHostQueue(app, viewer.accountId, { host: host.domain });
    },
  }),
];

async function requireHost(app: App, text: string): Promise<ListedHost> {
  const host = await findHost(app, normalizeDomain(text) ?? text);
  if (host === undefined) throw notFound();
  return host;
}
