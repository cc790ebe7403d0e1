// Measures what requests cost: npm run bench -- --accounts 10000 --statuses 1000000. Writes docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { withApp } from '../server/cli/open-app.ts';
import type { App } from '../server/platform/app.ts';
import { readConfig } from '../server/platform/config.ts';
import { openCommandDatabase } from '../server/cli/open-database.ts';
import { createLog } from '../server/platform/log.ts';
import manifest from '../package.json' with { type: 'json' };
import { casesOf } from './cases.ts';
import { usageOf } from './cpu.ts';
import { measure, type Measurement, type Server } from './measure.ts';
import { report } from './report.ts';
import { setScene, settle, type Player, type Scene } from './scene.ts';
import { measureStarPost, type StarPost } from './star-post.ts';
import { measureSoak } from './soak.ts';
import { startProcess } from './start-process.ts';
import { measureUploads } from './uploads.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    statuses: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '16' },
    port: { type: 'string', default: '3999' },
    /** Part of the names of the cases to run; `star`, `bare` and `upload` name those. */
    only: { type: 'string' },
    /** Folder of the seeded database; kept for the next time. */
    data: { type: 'string' },
    /** So many requests before the cases, to see what memory does. */
    soak: { type: 'string', default: '0' },
    /** Print the table and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const root = join(import.meta.dirname, '..');
const [accounts, statuses, requests] = [Number(values.accounts), Number(values.statuses), Number(values.requests)];
const connections = Number(values.connections);
const dataDir = resolve(values.data ?? join(tmpdir(), `fieldfare-bench-${accounts}-${statuses}`));
const port = Number(values.port);
const env = {
  DATA_DIR: dataDir,
  PORT: String(port),
  BASE_URL: `http://localhost:${port}`,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
};
const config = readConfig(env, root);
const log = createLog({ level: 'warn' });
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const isAsked = (name: string): boolean => values.only === undefined || name.includes(values.only);

seedOnce();
const server = await startProcess('sh', ['-c', manifest.scripts.start], { env, ready: /is ready/ });
try {
  await pause(3_000);
  const idleRss = usageOf(server.id).rss;
  await withApp(config, log, (app) =>
    run(app, { origin: `http://127.0.0.1:${port}`, roots: [server.id], connections }, idleRss),
  );
} finally {
  await server.stop();
}

async function run(app: App, target: Server, idleRss: number): Promise<void> {
  say('Setting the scene');
  const scene = await setScene(app);
  await settle(app);
  for (const reader of [scene.reader, scene.long.careful]) await warmHome(app, target, reader);
  await sql`vacuum analyze`.execute(app.db);
  await sql`checkpoint`.execute(app.db);
  const soak = Number(values.soak) > 0 ? await measureSoak(app, target, scene, Number(values.soak)) : undefined;
  const measurements: Measurement[] = [];
  for (const item of casesOf(scene)) {
    if (!isAsked(item.name)) continue;
    say(`Measuring ${item.name}`);
    measurements.push(await measure(app, target, item, Math.ceil(requests * item.share)));
  }
  const loadedRss = usageOf(...target.roots).rss;
  const starPost: StarPost | undefined = isAsked('star') ? await measureStarPost(app, target, scene) : undefined;
  const bare = isAsked('bare') || isAsked('home') ? await measureBare(app, target, scene) : undefined;
  const uploads = isAsked('upload') ? await measureUploads(app, target, scene.author) : [];
  const text = report({
    command: `npm run bench -- --accounts ${accounts} --statuses ${statuses} --requests ${requests} --connections ${connections} --soak ${values.soak}`,
    accounts: await countRows(app, 'accounts'),
    statuses: await countRows(app, 'statuses'),
    connections,
    measurements,
    bare,
    starPost,
    soak,
    uploads,
    idleRss,
    loadedRss,
    requests: measurements.reduce((sum, { count }) => sum + count, 0),
  });
  process.stdout.write(text);
  if (values.print || values.only !== undefined) return;
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(root, 'docs/benchmarks.md'), text);
}

/** The reader's feed is stored before it is measured, as that of everybody who comes every day. */
async function warmHome(app: App, { origin }: Server, reader: Player): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/timelines/home`, {
    headers: { authorization: `Bearer ${reader.token}` },
  });
  if (answer.status !== 200) throw new Error(`home answered ${answer.status}: ${await answer.text()}`);
  await settle(app);
}

/** PostgreSQL stands in the tree of the running server, which does nothing else meanwhile. */
async function measureBare(app: App, running: Server, { reader }: Scene): Promise<Measurement> {
  say('Measuring a bare route');
  const { connection } = await openCommandDatabase(config, log);
  const plan = { connection, port: port + 1, accountId: reader.accountId };
  const bare = await startProcess(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    input: JSON.stringify(plan),
    ready: /ready/,
  });
  try {
    const item = {
      name: 'bare Fastify, one query, 30 KB',
      as: reader,
      requests: [{ method: 'GET', path: '/' }],
      rival: '',
      share: 1,
    } as const;
    const target = { origin: `http://127.0.0.1:${port + 1}`, roots: [bare.id, ...running.roots], connections };
    const measured = await measure(app, target, { ...item, target: 0 }, requests);
    return { ...measured, target: undefined };
  } finally {
    await bare.stop();
  }
}

async function countRows(app: App, table: 'accounts' | 'statuses'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(app.db);
  return rows[0]?.count ?? 0;
}

/** Fills the database the first time; the folder is used again after that. */
function seedOnce(): void {
  if (existsSync(join(dataDir, 'seeded'))) return;
  say(`Seeding ${dataDir}`);
  const args = ['bin/fieldfare.mjs', 'demo', 'seed', '--accounts', String(accounts), '--statuses', String(statuses)];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`demo seed ended with ${status}`);
  writeFileSync(join(dataDir, 'seeded'), `${accounts} ${statuses}\n`);
}
