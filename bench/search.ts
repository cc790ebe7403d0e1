// Measures search: npm run bench:search. Writes a section of docs/benchmarks.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { withApp } from '../server/cli/open/open-app.ts';
import type { App } from '../server/platform/app.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import manifest from '../package.json' with { type: 'json' };
import { replaceSection } from './markdown-section.ts';
import { measure, type Measurement } from './measure.ts';
import { measureRounds, medianOf } from './rounds.ts';
import { userCreator, type BenchmarkUser } from './scene.ts';
import { drawWords, type WordClass } from './search-words.ts';
import { startProcess, type StartedProcess } from './start-process.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    statuses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    /** Of each kind in a round. */
    requests: { type: 'string', default: '400' },
    posts: { type: 'string', default: '2000' },
    port: { type: 'string', default: '3997' },
    /** A folder with demo data, which is kept. Default: seed a temporary one. */
    data: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const connections = 2;
const maxP95Ms = 100;
const maxIndexShare = 0.4;
const maxPostingRatio = 1.1;

const root = join(import.meta.dirname, '..');
const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'fieldfare-search-'));
const origin = `http://127.0.0.1:${values.port}`;
const env = {
  DATA_DIR: dataDir,
  PORT: values.port,
  BASE_URL: `http://localhost:${values.port}`,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  NODE_ENV: 'production',
};

interface SearchResult extends WordClass {
  readonly rounds: readonly Measurement[];
}

interface Sizes {
  readonly posts: number;
  readonly index: number;
  readonly statuses: number;
}

interface PostingResult {
  readonly withIndex: readonly Measurement[];
  readonly without: readonly Measurement[];
}

/** Returns the command that serves without the search index, with the same options of Node. */
const withoutIndex = (command: string): string =>
  command.replace('bin/start.mjs', 'bench/serve-without-index.ts serve');

const createReader = async (app: App): Promise<BenchmarkUser> =>
  (await userCreator(app))(`bench${Date.now().toString(36)}`);

const searchPath = (word: string): string => `/api/v2/search?type=statuses&limit=20&q=${encodeURIComponent(word)}`;

const formatMs = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

const formatMb = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

const cpuOf = ({ nodeMs, postgresMs }: Measurement): number => nodeMs + postgresMs;

try {
  if (values.data === undefined) seed();
  const serve = manifest.scripts.start;
  const { searches, sizes } = await withServer(serve, measureSearches);
  const posting: { withIndex: Measurement[]; without: Measurement[] } = { withIndex: [], without: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    posting.withIndex.push(await withServer(serve, measurePosting));
    posting.without.push(await withServer(withoutIndex(serve), measurePosting));
  }
  const section = renderSection(searches, sizes, posting);
  process.stdout.write(section);
  const file = join(root, 'docs', 'benchmarks.md');
  if (!values.print) writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), section));
} finally {
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

function seed(): void {
  const { accounts, statuses } = values;
  const args = ['bin/fieldfare.mjs', 'demo', 'seed', '--accounts', accounts, '--statuses', statuses];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`demo seed ended with ${status}`);
}

async function withServer<Result>(
  command: string,
  run: (app: App, server: StartedProcess) => Promise<Result>,
): Promise<Result> {
  const server = await startProcess('sh', ['-c', command], { env, ready: /is ready/ });
  try {
    return await withApp(parseConfig(env, root), createLog({ level: 'error' }), (app) => run(app, server));
  } finally {
    await server.stop();
  }
}

async function measureSearches(app: App, server: StartedProcess): Promise<{ searches: SearchResult[]; sizes: Sizes }> {
  const user = await createReader(app);
  const classes = await drawWords(app, async (word) => {
    const response = await fetch(`${origin}${searchPath(word)}`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    return ((await response.json()) as { statuses: unknown[] }).statuses.length > 0;
  });
  const results = await measureRounds(
    app,
    classes.map(({ script, rarity, words }) => ({
      server: { origin, processIds: [server.id], connections },
      benchmarkCase: {
        name: `${script}, one post in ${rarity}`,
        requests: words.map(({ word }) => ({ method: 'GET', path: searchPath(word) }) as const),
        user,
        share: 1,
        targetMs: undefined,
        competitor: '',
      },
    })),
    { rounds: Number(values.rounds), requests: Number(values.requests) },
  );
  const { rows } = await sql<Sizes>`select pg_total_relation_size('status_search')::float8 as index,
    pg_total_relation_size('statuses')::float8 as statuses,
    (select count(*)::int from statuses) as posts`.execute(app.db);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error('the sizes are unknown');
  return { searches: classes.map((each, place) => ({ ...each, rounds: results[place] ?? [] })), sizes };
}

async function measurePosting(app: App, { id }: StartedProcess): Promise<Measurement> {
  const status =
    'With the window open the bees came back, all of them, as if nothing had happened. Photos later. #bees';
  return measure(
    app,
    { origin, processIds: [id], connections: 8 },
    {
      name: 'POST status',
      requests: [{ method: 'POST', path: '/api/v1/statuses', body: JSON.stringify({ status, language: 'en' }) }],
      user: await createReader(app),
      share: 1,
      targetMs: undefined,
      competitor: '',
    },
    { count: Number(values.posts), round: 1 },
  );
}

function renderSection(searches: readonly SearchResult[], sizes: Sizes, posting: PostingResult): string {
  const share = sizes.index / sizes.statuses;
  return [
    '## Search',
    '',
    `The first page of 20 posts for words drawn from the seeded texts, ${connections} at a time. Each line is the median round by CPU;`,
    'CPU includes PostgreSQL.',
    '',
    '- Command: `npm run bench:search`',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
    `- Database: ${sizes.posts.toLocaleString('en')} statuses`,
    '',
    `| words | posts with the word | CPU | of it PostgreSQL | p50 | p95 (aim: ${maxP95Ms} ms) |`,
    '|---|---|---|---|---|---|',
    ...searches.map(renderSearch),
    '',
    `- The index takes ${formatMb(sizes.index)}, ${Math.round(share * 100)} % of the statuses (${formatMb(sizes.statuses)}; both with their indexes; aim: ${maxIndexShare * 100} %).`,
    renderPosting(posting),
    '',
  ].join('\n');
}

function renderSearch({ script, rarity, words, rounds }: SearchResult): string {
  const { nodeMs, postgresMs, p50Ms, p95Ms } = medianOf(rounds);
  const counts = words.map(({ posts }) => posts);
  const cells = [
    `${script}, one in ${rarity.toLocaleString('en')}: ${words.map(({ word }) => word).join(', ')}`,
    `${Math.min(...counts).toLocaleString('en')}–${Math.max(...counts).toLocaleString('en')}`,
    ...[nodeMs + postgresMs, postgresMs, p50Ms, p95Ms].map(formatMs),
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderPosting({ withIndex, without }: PostingResult): string {
  const ratios = withIndex
    .map((measurement, round) => cpuOf(measurement) / cpuOf(without[round] as Measurement))
    .toSorted((a, b) => a - b);
  const ratio = ratios[Math.floor((ratios.length - 1) / 2)] ?? Number.NaN;
  const [indexed, plain] = [medianOf(withIndex), medianOf(without)];
  return (
    `- Posting, CPU of a request with the work that follows: ${formatMs(cpuOf(indexed))} with the index, ` +
    `${formatMs(cpuOf(plain))} without: ${ratio.toFixed(2)} times as much, the median of ${ratios.map((value) => value.toFixed(2)).join(', ')} ` +
    `(aim: ${maxPostingRatio}). Until the answer, p50: ${formatMs(indexed.p50Ms)} with, ${formatMs(plain.p50Ms)} without.`
  );
}
