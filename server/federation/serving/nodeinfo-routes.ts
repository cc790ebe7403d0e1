import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { version } from '../../platform/version.ts';
import { siteSettings } from '../../site/index.ts';
import { forServers } from './for-servers.ts';

const versions = ['2.0', '2.1'] as const;

const discovery = get('/.well-known/nodeinfo', {
  summary: 'List the NodeInfo versions',
  ...forServers,
  handle: ({ app }) =>
    jsonResponse('application/json; charset=utf-8', 'public, max-age=259200', {
      links: versions.map((number) => ({
        rel: `http://nodeinfo.diaspora.software/ns/schema/${number}`,
        href: `${app.config.baseUrl}/nodeinfo/${number}`,
      })),
    }),
});

const documentRoute = (path: string, number: (typeof versions)[number]): Route =>
  get(path, {
    summary: `Get the NodeInfo ${number} document`,
    ...forServers,
    async handle({ app }): Promise<HttpResponse> {
      const type = `application/json; profile="http://nodeinfo.diaspora.software/ns/schema/${number}#"; charset=utf-8`;
      return jsonResponse(type, 'public, max-age=1800', await nodeInfo(app, number));
    },
  });

export const nodeinfoRoutes: readonly Route[] = [
  discovery,
  documentRoute('/nodeinfo/2.0', '2.0'),
  documentRoute('/nodeinfo/2.1', '2.1'),
];

function jsonResponse(type: string, cache: string, value: unknown): HttpResponse {
  return new HttpResponse({ text: JSON.stringify(value), headers: { 'content-type': type, 'cache-control': cache } });
}

async function nodeInfo(app: App, number: (typeof versions)[number]) {
  const [settings, usage] = await Promise.all([siteSettings(app), usageCache.get(app, 'usage')]);
  return {
    version: number,
    software: {
      name: 'fieldfare',
      version,
      ...(number === '2.1' && { homepage: `${app.config.baseUrl}/about` }),
    },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    usage: {
      users: { total: usage.total, activeMonth: usage.month, activeHalfyear: usage.halfYear },
      localPosts: usage.posts,
    },
    openRegistrations: settings.registrations !== 'closed',
    metadata: {
      nodeName: settings.title,
      nodeDescription: settings.description,
      // Apps that do not know this software use it to select the API dialect (clients.md, row 5).
      upstream: { name: 'mastodon' },
      // Where auxiliary service providers register themselves.
      faspBaseUrl: `${app.config.baseUrl}/api/fasp`,
    },
  };
}

interface Usage {
  readonly total: number;
  readonly month: number;
  readonly halfYear: number;
  readonly posts: number;
}

export const usageCache = new LoadingCache<'usage', Usage>({
  name: 'federation.usage_counts',
  maxSize: 1,
  ttlMs: 600_000,
  load: countUsage,
});

/** Counts the users, those active within 4 and 24 weeks, and the local posts. */
async function countUsage(app: App): Promise<Usage> {
  const since = (weeks: number) => new Date(app.clock.now().getTime() - weeks * 7 * 86_400_000);
  const { rows } = await sql<Usage>`
    select count(*)::int as total,
      count(*) filter (where users.last_active_at >= ${since(4)})::int as month,
      count(*) filter (where users.last_active_at >= ${since(24)})::int as "halfYear",
      coalesce((select sum(stats.statuses_count) from account_stats stats
        join accounts on accounts.id = stats.account_id where accounts.domain is null), 0)::int as posts
    from users join accounts on accounts.id = users.account_id
    where accounts.activated and accounts.suspended_at is null and accounts.deleted_at is null`.execute(app.db);
  return rows[0] ?? { total: 0, month: 0, halfYear: 0, posts: 0 };
}
