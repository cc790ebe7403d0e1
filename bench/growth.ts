// Measures what requests and schedules read on databases of different size: npm run bench -- growth --data SMALL --data LARGE.
// Writes a section of docs/benchmarks.md.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { caches, createHttp, schedules } from '../server/app.ts';
import { withApp } from '../server/cli/open/open-app.ts';
import { sql } from 'kysely';
import { createApplication, createToken } from '../server/oauth/index.ts';
import type { App } from '../server/platform/app.ts';
import { newId, type AccountId, type ListId, type StatusId, type UserId } from '../server/platform/ids.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import { rebuildStoredFeeds } from '../server/timelines/index.ts';
import { connectDirectly } from './connect-directly.ts';
import { measureUsage } from './cpu.ts';
import { unusablePasswordHash } from './demo/people.ts';
import { countStatements, disableCounting, installStatementCounter, removeStatementCounter } from './statements.ts';
import { describeRun, writeSection } from './write-section.ts';

const { values } = parseArgs({
  options: {
    /** A folder with demo data, which is kept; from the smallest to the largest. */
    data: { type: 'string', multiple: true },
    /** Measures only what has this text in its name. */
    only: { type: 'string', default: '' },
    /** Prints so many of the statements that read most, of each request and schedule. */
    statements: { type: 'string', default: '0' },
    port: { type: 'string', default: '3995' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

/** What reads fewer pages is not listed. */
const minPages = 50;
const halfYearMs = 182 * 86_400_000;

interface Counts {
  readonly pages: number;
  /** Of this process and of PostgreSQL. */
  readonly cpuMs: number;
}

/** What requests and schedules did on one database. */
interface Run {
  readonly statuses: number;
  readonly counts: ReadonlyMap<string, Counts>;
}

const { data = [] } = values;
if (data.length === 0) throw new TypeError('Pass --data FOLDER, once for each database.');
const runs: Run[] = [];
for (const folder of data) runs.push(await measureFolder(resolve(folder)));
writeSection(renderSection(runs), values);
process.exit(0);

async function measureFolder(dataDir: string): Promise<Run> {
  const env = { DATA_DIR: dataDir, PORT: values.port, BASE_URL: `http://localhost:${values.port}`, LOG_LEVEL: 'error' };
  await connectDirectly(env, installStatementCounter);
  try {
    return await withApp(parseConfig(env), createLog({ level: 'error' }), measureApp);
  } finally {
    await connectDirectly(env, removeStatementCounter);
  }
}

async function measureApp(app: App): Promise<Run> {
  const client = new pg.Client(app.directConnection);
  await client.connect();
  try {
    await disableCounting(client);
    const counts = new Map<string, Counts>();
    const count = async (name: string, run: () => Promise<unknown>): Promise<void> => {
      if (!name.includes(values.only)) return;
      let cpuMs = 0;
      const { pages, slowest } = await countStatements(client, async () => {
        const before = readCpuMs();
        await run();
        cpuMs = readCpuMs() - before;
        return 1;
      });
      counts.set(name, { pages, cpuMs });
      process.stderr.write(`${name}: ${pages} pages, ${cpuMs.toFixed(0)} ms of CPU\n`);
      const largest = slowest.toSorted((a, b) => b.pages - a.pages).slice(0, Number(values.statements));
      for (const { pages: own, ms, query } of largest)
        process.stderr.write(`  ${own} pages, ${ms.toFixed(1)} ms: ${query}\n`);
    };
    await countRequests(app, count);
    // What waits since the database was filled is done before the second run, which is counted.
    for (const schedule of schedules.filter(({ name }) => name.includes(values.only))) {
      await schedule.run(app);
      await count(schedule.name, () => schedule.run(app));
    }
    const { rows } = await client.query<{ statuses: number }>('select count(*)::int as statuses from statuses');
    return { statuses: rows[0]?.statuses ?? 0, counts };
  } finally {
    await client.end();
  }
}

function readCpuMs(): number {
  const { nodeMs, postgresMs } = measureUsage(process.pid);
  return nodeMs + postgresMs;
}

/** Counts the first request of each path, so that nothing is cached. */
async function countRequests(
  app: App,
  count: (name: string, run: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const http = createHttp(app);
  try {
    const get = async (path: string, authorization: string): Promise<void> => {
      const { statusCode, body } = await http.inject({ method: 'GET', url: path, headers: { authorization } });
      // A search may need too long on a busy machine; what it read counts.
      if (statusCode !== 200) process.stderr.write(`${path} answered ${statusCode}: ${body.slice(0, 200)}\n`);
    };
    const reader = await findReader(app);
    const paths = await listPaths(app, reader.id);
    // A feed is stored once it was read.
    for (const path of [paths['home timeline'], paths['list']])
      if (path !== undefined) await get(path, `Bearer ${reader.token}`);
    await rebuildStoredFeeds(app, 'system', { owner: { accountId: reader.id, acct: reader.id } });
    for (const [name, path] of Object.entries(paths)) {
      // Otherwise a request would find the accounts and posts of those before it.
      for (const cache of caches) cache.clear(app);
      // The token, the settings of the site and the like are cached again.
      await get('/api/v1/accounts/verify_credentials', `Bearer ${reader.token}`);
      await count(name, () => get(path, `Bearer ${reader.token}`));
    }
  } finally {
    await http.close();
  }
}

/** Returns the seeded user with most followed accounts among those with a stored feed, signed in. */
async function findReader(app: App): Promise<{ readonly id: AccountId; readonly token: string }> {
  const { rows } = await sql<{ id: AccountId; user_id: UserId }>`
    select stats.account_id as id, users.id as user_id from home_feed_states state
      join account_stats stats on stats.account_id = state.account_id join users on users.account_id = state.account_id
    where users.password_hash = ${unusablePasswordHash} order by stats.followers_count desc limit 1`.execute(app.db);
  const [first] = rows;
  if (first === undefined) throw new Error('there is no demo data');
  const scopes = ['read'];
  const redirectUris = ['urn:ietf:wg:oauth:2.0:oob'];
  const { id: applicationId } = await createApplication(app, { name: 'Bench', redirectUris, scopes });
  return { id: first.id, token: await createToken(app, { userId: first.user_id, applicationId, scopes }) };
}

async function listPaths(app: App, readerId: AccountId): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql<{ thread: StatusId; list: ListId }>`
    select (select status_id from status_stats order by replies_count desc limit 1) as thread,
      (select id from lists where account_id = ${readerId}::bigint limit 1) as list`.execute(app.db);
  const [found] = rows;
  const maxId = newId<'status'>(new Date(Date.now() - halfYearMs));
  return {
    'home timeline': '/api/v1/timelines/home?limit=20',
    'home, half a year back': `/api/v1/timelines/home?limit=20&max_id=${maxId}`,
    'public timeline': '/api/v1/timelines/public?limit=20',
    'local timeline': '/api/v1/timelines/public?local=true&limit=20',
    'remote media timeline': '/api/v1/timelines/public?remote=true&only_media=true&limit=20',
    'account statuses': `/api/v1/accounts/${readerId}/statuses?limit=20`,
    'account statuses, media': `/api/v1/accounts/${readerId}/statuses?only_media=true&limit=20`,
    'account statuses, half a year back': `/api/v1/accounts/${readerId}/statuses?limit=20&max_id=${maxId}`,
    'account statuses of a hashtag': `/api/v1/accounts/${readerId}/statuses?tagged=birds&limit=20`,
    hashtag: '/api/v1/timelines/tag/birds?limit=20',
    'hashtag with a rare one': '/api/v1/timelines/tag/birds?all[]=photography&limit=20',
    'hashtag, half a year back': `/api/v1/timelines/tag/birds?limit=20&max_id=${maxId}`,
    ...(found?.list === undefined || found.list === null
      ? {}
      : { list: `/api/v1/timelines/list/${found.list}?limit=20` }),
    'longest thread': `/api/v1/statuses/${found?.thread ?? ''}/context`,
    'favourited by': `/api/v1/statuses/${found?.thread ?? ''}/favourited_by`,
    notifications: '/api/v1/notifications?limit=20',
    mentions: '/api/v1/notifications?types[]=mention&limit=20',
    'grouped notifications': '/api/v2/notifications?limit=40',
    'unread notifications': '/api/v1/notifications/unread_count',
    favourites: '/api/v1/favourites?limit=20',
    followers: `/api/v1/accounts/${readerId}/followers?limit=40`,
    'familiar followers': `/api/v1/accounts/familiar_followers?id[]=${readerId}`,
    conversations: '/api/v1/conversations?limit=20',
    'search posts, a common word': '/api/v2/search?type=statuses&limit=20&q=more',
    'search posts, two common words': '/api/v2/search?type=statuses&limit=20&q=more%20with',
    'search posts, a rare word': '/api/v2/search?type=statuses&limit=20&q=chilabank',
    'search posts, in the library': '/api/v2/search?type=statuses&limit=20&q=more%20in:library',
    'search accounts, three letters': '/api/v1/accounts/search?limit=20&q=wre',
    'search accounts, whole name': '/api/v1/accounts/search?limit=20&q=anna',
    'search hashtags': '/api/v2/search?type=hashtags&limit=20&q=b',
    suggestions: '/api/v2/suggestions?limit=20',
    trends: '/api/v1/trends/statuses?limit=20',
    directory: '/api/v1/directory?limit=40&order=active',
    instance: '/api/v2/instance',
    'activity of the instance': '/api/v1/instance/activity',
    nodeinfo: '/nodeinfo/2.0',
  };
}

function renderSection(measured: readonly Run[]): string {
  const largest = measured.at(-1);
  const isRead = (name: string): boolean => (largest?.counts.get(name)?.pages ?? 0) >= minPages;
  const patterns = new Map(schedules.map(({ name, pattern }) => [name, pattern]));
  const requests = [...(largest?.counts.keys() ?? [])].filter((name) => !patterns.has(name) && isRead(name));
  const frequent = [...patterns].filter(([name]) => isRead(name));
  const sizes = measured.map(({ statuses }) => `${statuses.toLocaleString('en')} statuses`);
  return [
    '## Growth with the database',
    '',
    'What the first request of each kind reads, when nothing is cached: pages of 8 KB.',
    `Fewer than ${minPages} pages are not listed.`,
    '',
    ...describeRun(`npm run bench -- growth ${data.map(() => '--data FOLDER').join(' ')}`),
    '',
    `| request | ${sizes.map((size) => `pages, ${size}`).join(' | ')} | times as many |`,
    `|${'---|'.repeat(sizes.length + 2)}`,
    ...requests.map((name) => `| ${[name, ...renderPages(name, measured)].join(' | ')} |`),
    '',
    'What one run of each schedule reads, when nothing is left of the runs before, and the CPU of both processes.',
    '',
    `| schedule | when, in UTC | ${sizes.map((size) => `pages, ${size}`).join(' | ')} | times as many | CPU |`,
    `|${'---|'.repeat(sizes.length + 4)}`,
    ...frequent.map(([name, pattern]) => {
      const cpu = `${Math.round(largest?.counts.get(name)?.cpuMs ?? 0)} ms`;
      return `| ${[name, `\`${pattern}\``, ...renderPages(name, measured), cpu].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

/** Returns the pages on each database, and how many times as many the last ones are as the first ones. */
function renderPages(name: string, measured: readonly Run[]): string[] {
  const pages = measured.map((run) => run.counts.get(name)?.pages);
  const [first = 0, last = 0] = [pages[0], pages.at(-1)];
  const cells = pages.map((count) => (count === undefined ? '' : Math.round(count).toLocaleString('en')));
  return [...cells, first === 0 ? '' : (last / first).toFixed(1)];
}
