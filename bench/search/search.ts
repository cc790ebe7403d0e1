// Measures search: npm run bench -- search. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import manifest from '../../package.json' with { type: 'json' };
import { measure, type Measurement } from '../measure.ts';
import { measureRounds } from '../rounds.ts';
import { userCreator, type BenchmarkUser } from '../scene.ts';
import { drawNames } from './search-names.ts';
import { renderSection, type Results, type Sizes } from './search-report.ts';
import { drawWords } from './search-words.ts';
import { SeededServer } from '../seeded-server.ts';
import type { StartedProcess } from '../start-process.ts';
import { writeSection } from '../write-section.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    statuses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    /** Of each kind in a round. */
    requests: { type: 'string', default: '400' },
    posts: { type: 'string', default: '2000' },
    port: { type: 'string', default: '3997' },
    /** A folder that is filled with demo data the first time, and kept. Default: a temporary one. */
    data: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const connections = 2;

/** Returns the command that serves without the search index, with the same options of Node. */
const withoutIndex = (command: string): string =>
  command.replace('bin/start.mjs', 'bench/search/serve-without-index.ts serve');

const createReader = async (app: App): Promise<BenchmarkUser> =>
  (await userCreator(app))(`bench${Date.now().toString(36)}`);

const searchPath = (word: string): string => `/api/v2/search?type=statuses&limit=20&q=${encodeURIComponent(word)}`;

const accountPath = (text: string): string => `/api/v1/accounts/search?limit=20&q=${encodeURIComponent(text)}`;

const seeded = new SeededServer({ name: 'search', dataDir: values.data, ...values });
const { origin } = seeded;
try {
  const serve = manifest.scripts.start;
  const results = await seeded.run(serve, measureSearches);
  const posting: { withIndex: Measurement[]; without: Measurement[] } = { withIndex: [], without: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    posting.withIndex.push(await seeded.run(serve, measurePosting));
    posting.without.push(await seeded.run(withoutIndex(serve), measurePosting));
  }
  writeSection(renderSection(results, posting), values);
} finally {
  seeded.close();
}
process.exit(0);

async function measureSearches(app: App, server: StartedProcess): Promise<Results> {
  const user = await createReader(app);
  const classes = await drawWords(app, async (word) => {
    const response = await fetch(`${origin}${searchPath(word)}`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    return ((await response.json()) as { statuses: unknown[] }).statuses.length > 0;
  });
  const names = await drawNames(app);
  const results = await measureRounds(
    app,
    [
      ...classes.map(({ script, rarity, words }) => ({
        name: `${script}, one post in ${rarity}`,
        paths: words.map(({ word }) => searchPath(word)),
      })),
      ...names.map(({ name, texts }) => ({ name: `Accounts, ${name}`, paths: texts.map(accountPath) })),
    ].map(({ name, paths }) => ({
      server: { origin, processIds: [server.id], connections },
      benchmarkCase: {
        name,
        requests: paths.map((path) => ({ method: 'GET', path }) as const),
        users: [user],
        share: 1,
        targetMs: undefined,
      },
    })),
    { rounds: Number(values.rounds), requests: Number(values.requests) },
  );
  const { rows } = await sql<Sizes>`select pg_total_relation_size('status_search')::float8 as index,
    pg_total_relation_size('statuses')::float8 as statuses, pg_table_size('statuses')::float8 as rows,
    (select count(*)::int from statuses) as posts`.execute(app.db);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error('the sizes are unknown');
  return {
    searches: classes.map((each, place) => ({ ...each, rounds: results[place] ?? [] })),
    accounts: names.map((each, place) => ({ ...each, rounds: results[classes.length + place] ?? [] })),
    sizes,
  };
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
      users: [await createReader(app)],
      share: 1,
      targetMs: undefined,
    },
    { count: Number(values.posts), round: 1 },
  );
}
