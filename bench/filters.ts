// Measures what filters cost: npm run bench -- filters. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import type { App } from '../server/platform/app.ts';
import { followAccount } from '../server/relationships/follow/index.ts';
import manifest from '../package.json' with { type: 'json' };
import { measureMatching, type MatchingResult } from './filter-matching.ts';
import type { Measurement } from './measure.ts';
import { compareRounds, cpuOf, measureRounds, medianOf } from './rounds.ts';
import { listBusiestAccounts, userCreator, waitForJobs, type BenchmarkUser } from './scene.ts';
import { SeededServer } from './seeded-server.ts';
import { describeRun, writeSection } from './write-section.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '300' },
    statuses: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '9' },
    /** Of each kind in a round. */
    requests: { type: 'string', default: '2000' },
    port: { type: 'string', default: '3997' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const filterCount = 20;
const keywordsPerFilter = 10;
const followedCount = 100;
const connections = 8;
/** Home with filters, compared with home without. */
const maxRatio = 1.2;
const maxPageMs = 1;

/** What reading home costs in each round. */
interface HomeResult {
  readonly plain: readonly Measurement[];
  readonly filtered: readonly Measurement[];
  /** Posts of a page that match a filter. */
  readonly matches: number;
}

const seeded = new SeededServer({ name: 'filters', ...values });
const { origin } = seeded;
try {
  const home = await seeded.run(manifest.scripts.start, (app, server) => measureHome(app, server.id));
  writeSection(renderSection(measureMatching(), home), values);
} finally {
  seeded.close();
}
process.exit(0);

/** Two users follow the same accounts; one of them has filters. They read home by turns. */
async function measureHome(app: App, serverId: number): Promise<HomeResult> {
  const create = await userCreator(app);
  const [plain, filtering] = [await create('bench_plain'), await create('bench_filtering')];
  const followed = (await listBusiestAccounts(app, [plain, filtering])).slice(0, followedCount);
  for (const { id } of followed) {
    for (const { accountId } of [plain, filtering]) await followAccount(app, accountId, id);
  }
  await waitForJobs(app);
  for (const { token } of [plain, filtering]) await readHome(token);
  await waitForJobs(app);
  await createFilters(plain, filtering);
  const page = await readHome(filtering.token);
  const server = { origin, processIds: [serverId], connections };
  const [plainResults = [], filteredResults = []] = await measureRounds(
    app,
    [plain, filtering].map((user) => ({
      server,
      benchmarkCase: {
        name: user === plain ? 'home' : 'home with filters',
        requests: [{ method: 'GET', path: '/api/v1/timelines/home?limit=20' } as const],
        users: [user],
        share: 1,
        targetMs: undefined,
      },
    })),
    { rounds: Number(values.rounds), requests: Number(values.requests) },
  );
  const matches = page.filter(({ filtered }) => filtered.length > 0).length;
  return { plain: plainResults, filtered: filteredResults, matches };
}

/** A few filters have a keyword from the posts of home. No post has the others. */
async function createFilters(reader: BenchmarkUser, owner: BenchmarkUser): Promise<void> {
  const text = (await readHome(reader.token)).map(({ content }) => content.replaceAll(/<[^>]*>/g, ' ')).join(' ');
  const known = [...new Set(text.match(/\p{L}{7,}/gu) ?? [])];
  for (let at = 0; at < filterCount; at += 1) {
    const unknown = Array.from({ length: keywordsPerFilter }, (_, index) => `unheard of ${at} ${index}`);
    const keywords = at % 5 === 0 ? [known[at] ?? '', ...unknown.slice(1)] : unknown;
    await call(owner.token, 'POST', '/api/v2/filters', {
      title: `Filter ${at}`,
      context: ['home'],
      keywords_attributes: keywords.map((keyword) => ({ keyword })),
    });
  }
}

function readHome(token: string) {
  return call(token, 'GET', '/api/v1/timelines/home?limit=20') as Promise<
    { readonly content: string; readonly filtered: readonly unknown[] }[]
  >;
}

async function call(token: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function renderSection(matching: readonly MatchingResult[], { plain, filtered, matches }: HomeResult): string {
  const ms = (value: number): string => `${value.toFixed(3)} ms`;
  const [without, withFilters] = [cpuOf(medianOf(plain)), cpuOf(medianOf(filtered))];
  const ratio = compareRounds(filtered, plain);
  return [
    '## Filters',
    '',
    'What 20 filters with 10 keywords each cost: comparing a page of 40 posts, and reading home. A result is remembered',
    'with the cached post, so that only the first reading of a post after a change of the filters compares its text.',
    '',
    ...describeRun('npm run bench -- filters'),
    '',
    `| 200 keywords and a page of 40 | characters | compiling | first page (aim: ${maxPageMs} ms) | again |`,
    '|---|---|---|---|---|',
    ...matching.map(
      ({ name, characters, compileMs, firstMs, againMs }) =>
        `| ${name} | ${characters.toLocaleString('en')} | ${[compileMs, firstMs, againMs].map(ms).join(' | ')} |`,
    ),
    '',
    `- Home of 20, CPU of a request: ${ms(without)} without filters, ${ms(withFilters)} with 20 of them, of which ${matches} posts of the page match one: ${ratio.median.toFixed(2)} times as much (aim: ${maxRatio}), the median of ${ratio.all}.`,
    '',
  ].join('\n');
}
