// Measures what requests cost: npm run bench -- --accounts 10000 --statuses 1000000. Writes docs/benchmarks.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { withApp } from '../server/cli/open/open-app.ts';
import type { App } from '../server/platform/app.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import manifest from '../package.json' with { type: 'json' };
import { startBareRoutes } from './bare-route.ts';
import { buildCases, homeCase, isBare } from './cases.ts';
import { connectDirectly } from './connect-directly.ts';
import { countLargeDatabase } from './count-measures.ts';
import { measureUsage } from './cpu.ts';
import { countCases, type CaseStatements } from './limits.ts';
import type { Measurement, MeasuredServer } from './measure.ts';
import { measureBareInsert } from './raw-limits.ts';
import { renderReport } from './report.ts';
import { measureRounds, type MeasurementTarget } from './rounds.ts';
import { keepOtherSections } from './markdown-section.ts';
import { createScene, waitForJobs, type BenchmarkUser, type Scene } from './scene.ts';
import { seedOnce } from './seed-once.ts';
import { measureStarPost, type StarPostResult } from './star-post.ts';
import { measureSoak } from './soak.ts';
import { startProcess } from './start-process.ts';
import { disableCounting, installStatementCounter, removeStatementCounter } from './statements.ts';
import { measureUploads } from './uploads.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    statuses: { type: 'string', default: '1000000' },
    /** Of each read in a round. */
    requests: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    port: { type: 'string', default: '3999' },
    /** Runs only the cases whose names contain one of these texts; also `star` or `upload`. */
    only: { type: 'string', multiple: true },
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
};
const config = parseConfig(env, root);
const log = createLog({ level: 'warn' });
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

const isSelected = (name: string): boolean => values.only?.some((text) => name.includes(text)) ?? true;

seedOnce(env, values);
await connectDirectly(env, installStatementCounter);
const server = await startProcess('sh', ['-c', manifest.scripts.start], { env, ready: /is ready/ });
try {
  await pause(3_000);
  const idleRss = measureUsage(server.id).rssBytes;
  const target = { origin: `http://127.0.0.1:${port}`, processIds: [server.id], connections };
  await withApp(config, log, (app) => connectDirectly(env, (client) => run(app, { client, target, idleRss })));
} finally {
  await server.stop();
}
await connectDirectly(env, removeStatementCounter);

async function run(
  app: App,
  { client, target, idleRss }: { client: pg.Client; target: MeasuredServer; idleRss: number },
): Promise<void> {
  await disableCounting(client);
  printStatus('Setting the scene');
  const scene = await createScene(app);
  await waitForJobs(app);
  for (const reader of [...scene.readers, scene.heavy.filteringReader]) await warmHome(app, target, reader);
  await countLargeDatabase(app);
  await sql`vacuum analyze`.execute(app.db);
  await sql`checkpoint`.execute(app.db);
  const soak = Number(values.soak) > 0 ? await measureSoak(app, target, scene, Number(values.soak)) : undefined;
  const { measured, statements } = await measureCases(app, client, { target, scene });
  const insertMs = await measureBareInsert(client, { server: server.id, requests });
  const loadedRss = measureUsage(...target.processIds).rssBytes;
  const starPost: StarPostResult | undefined = isSelected('star')
    ? await measureStarPost(app, target, scene)
    : undefined;
  const uploads = isSelected('upload') ? await measureUploads(app, target, scene.authors[0]) : [];
  const text = renderReport({
    command: `npm run bench -- --accounts ${accounts} --statuses ${statuses} --requests ${requests} --rounds ${values.rounds} --connections ${connections} --soak ${values.soak}`,
    accounts: await countRows(app, 'accounts'),
    statuses: await countRows(app, 'statuses'),
    connections,
    measured,
    limits: { statements, insertMs },
    starPost,
    soak,
    uploads,
    idleRssBytes: idleRss,
    loadedRssBytes: loadedRss,
    requests: measured.flat().reduce((sum, { name, count }) => sum + (isBare(name) ? 0 : count), 0),
  });
  process.stdout.write(text);
  if (values.print || values.only !== undefined) return;
  mkdirSync(join(root, 'docs'), { recursive: true });
  const file = join(root, 'docs/benchmarks.md');
  writeFileSync(file, keepOtherSections(readFileSync(file, 'utf8'), text));
}

/** Measures the selected cases and the routes to compare them with, and counts their statements. */
async function measureCases(
  app: App,
  client: pg.Client,
  { target, scene }: { target: MeasuredServer; scene: Scene },
): Promise<{ measured: Measurement[][]; statements: CaseStatements[] }> {
  const cases = buildCases(scene).filter(({ name }) => isSelected(name));
  const [reader] = scene.readers;
  const bare = await startBareRoutes({ client, reader, server: target });
  const own = cases.flatMap((item): MeasurementTarget[] => {
    const measured = { benchmarkCase: item, server: target };
    return item.name === homeCase ? [measured, bare.page] : [measured];
  });
  const targets = [...bare.floors, ...own];
  try {
    const rounds = Number(values.rounds);
    const measured = await measureRounds(app, targets, { rounds, requests });
    const statements = await countCases(client, targets, { rounds, requests, wait: () => waitForJobs(app) });
    return { measured, statements };
  } finally {
    await bare.stop();
  }
}

/** Stores the reader's feed before the measurement, as it is for a daily user. */
async function warmHome(app: App, { origin }: MeasuredServer, reader: BenchmarkUser): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/timelines/home`, {
    headers: { authorization: `Bearer ${reader.token}` },
  });
  if (answer.status !== 200) throw new Error(`home answered ${answer.status}: ${await answer.text()}`);
  await waitForJobs(app);
}

async function countRows(app: App, table: 'accounts' | 'statuses'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(app.db);
  return rows[0]?.count ?? 0;
}
