// Measures how long after kill -9 of the server the work that it was doing is complete: npm run bench -- kill.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { withApp } from '../../server/cli/open/open-app.ts';
import type { App } from '../../server/platform/app.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { findEmbeddedHolder } from '../../server/platform/database/embedded/index.ts';
import { createLog } from '../../server/platform/log.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createFollowers, userCreator, type BenchmarkUser } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import { startProcess } from '../start-process.ts';
import { describeRun } from '../write-section.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '3000' },
    statuses: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    /** Posts whose answers arrive before the server is killed. */
    posts: { type: 'string', default: '40' },
    port: { type: 'string', default: '3996' },
    /** A folder that is filled with demo data the first time, and kept. Default: a temporary one. */
    data: { type: 'string' },
  },
});

const connections = 8;
const maxSeconds = 120;

interface Scene {
  readonly star: BenchmarkUser;
  readonly followers: number;
  readonly friend: BenchmarkUser;
}

interface Round {
  readonly posts: number;
  /** From the kill until the next server is ready. */
  readonly readySeconds: number;
  /** From then until the posts are in all home feeds, and until all are notified. */
  readonly feedsSeconds: number;
  readonly notificationsSeconds: number;
}

const seeded = new SeededServer({ name: 'kill', dataDir: values.data, ...values });
const { origin, env } = seeded;
const log = createLog({ level: 'error' });
const start = () => startProcess('sh', ['-c', manifest.scripts.start], { env, ready: /is ready/ });
const withDatabase = <Result>(work: (app: App) => Promise<Result>): Promise<Result> =>
  withApp(parseConfig(env), log, work);

try {
  const scene = await withDatabase(createScene);
  const rounds: Round[] = [];
  while (rounds.length < Number(values.rounds)) rounds.push(await measureRound(scene));
  process.stdout.write(render(scene, rounds));
} finally {
  seeded.close();
}
process.exit(0);

async function createScene(app: App): Promise<Scene> {
  const create = await userCreator(app);
  const name = `kill${Date.now().toString(36)}`;
  const [star, friend] = [await create(`${name}_star`), await create(`${name}_friend`)];
  return { star, friend, followers: await createFollowers(app, star.accountId, []) };
}

async function measureRound(scene: Scene): Promise<Round> {
  const server = await start();
  const friendName = await withDatabase(async (app) => nameOf(app, scene.friend));
  const posted = await postUntilKilled(scene, `Hello @${friendName}`);
  const killedAt = performance.now();
  await server.stop();
  const next = await start();
  while (!(await isReady())) await pause(20);
  const readyAt = performance.now();
  try {
    return await withDatabase(async (app) => {
      const secondsUntil = async (count: () => Promise<number>, wanted: number): Promise<number> => {
        while ((await count()) < wanted) {
          if (performance.now() - readyAt > maxSeconds * 1000) throw new Error('the work does not end');
          await pause(50);
        }
        return (performance.now() - readyAt) / 1000;
      };
      const [feedsSeconds, notificationsSeconds] = await Promise.all([
        secondsUntil(() => countFeeds(app, posted), posted.length * scene.followers),
        secondsUntil(() => countNotified(app, scene.friend, posted), posted.length),
      ]);
      return { posts: posted.length, readySeconds: (readyAt - killedAt) / 1000, feedsSeconds, notificationsSeconds };
    });
  } finally {
    await next.stop();
  }
}

/** Posts over several connections and kills the server in the middle. Returns the ids of the acknowledged posts. */
async function postUntilKilled({ star }: Scene, status: string): Promise<string[]> {
  const holder = findEmbeddedHolder(join(env['DATA_DIR'] ?? '', 'postgres'));
  if (holder === undefined) throw new Error('the server is not found');
  const posted: string[] = [];
  const send = async (): Promise<void> => {
    for (;;) {
      const response = await fetch(`${origin}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${star.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      });
      posted.push(((await response.json()) as { id: string }).id);
      if (posted.length === Number(values.posts)) process.kill(holder.pid, 'SIGKILL');
    }
  };
  // Requests fail once the server is gone.
  await Promise.allSettled(Array.from({ length: connections }, send));
  return posted;
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health/ready`)).ok;
  } catch {
    return false;
  }
}

async function nameOf(app: App, { accountId }: BenchmarkUser): Promise<string> {
  const query = app.db.selectFrom('accounts').select('username').where('id', '=', accountId);
  return (await query.executeTakeFirstOrThrow()).username;
}

async function countFeeds(app: App, posted: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from home_feed
    where status_id = any(${[...posted]}::bigint[]) and account_id <> (
      select account_id from statuses where id = home_feed.status_id)`.execute(app.db);
  return rows[0]?.count ?? 0;
}

async function countNotified(app: App, { accountId }: BenchmarkUser, posted: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notifications
    where account_id = ${accountId} and type = 'mention' and status_id = any(${[...posted]}::bigint[])`.execute(app.db);
  return rows[0]?.count ?? 0;
}

function render({ followers }: Scene, rounds: readonly Round[]): string {
  const lines = rounds.map(({ posts, ...seconds }) => {
    const figures = [seconds.readySeconds, seconds.feedsSeconds, seconds.notificationsSeconds];
    return `| ${posts} | ${figures.map((figure) => figure.toFixed(1)).join(' | ')} |`;
  });
  return [
    '## After kill -9',
    '',
    ...describeRun('npm run bench -- kill'),
    `- Each post reaches ${followers} home feeds and one notification.`,
    '',
    '| acknowledged posts | ready after (s) | home feeds complete after ready (s) | notifications complete (s) |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
