// Measures a post to very many remote followers: npm run bench -- fan-out. Writes a section of docs/benchmarks.md.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { deleteAccount } from '../../server/accounts/lifecycle/index.ts';
import { loadSigningKeys } from '../../server/accounts/keys/index.ts';
import type { App } from '../../server/platform/app.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { Network } from '../federation/network.ts';
import { postAs } from '../federation/scene.ts';
import { waitUntilIdle } from '../federation/wait-until-idle.ts';
import { watchOption } from '../measure-turns.ts';
import { userCreator } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import { writeSection } from '../write-section.ts';
import { renderFanOut, type FanOutCase } from './fan-out-report.ts';
import { measureFanOut, warmUp, type FanOutResult, type OtherUsers } from './measure-fan-out.ts';
import { startOtherProgram } from './other-program.ts';
import { seedFollowers } from './seed-followers.ts';

const { values } = parseArgs({
  options: {
    followers: { type: 'string', default: '50000' },
    hosts: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    accounts: { type: 'string', default: '300' },
    statuses: { type: 'string', default: '20000' },
    /** Of each round; a fan-out begins after the first six. */
    seconds: { type: 'string', default: '20' },
    /** Requests of other users in a second. */
    homes: { type: 'string', default: '40' },
    posts: { type: 'string', default: '8' },
    /** `post`, `delete` or `other program`. */
    only: { type: 'string' },
    port: { type: 'string', default: '3992' },
    'network-port': { type: 'string', default: '3993' },
    /** Store a CPU profile of the server in this folder. */
    profile: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const size = { followers: Number(values.followers), hosts: Number(values.hosts) };
const rounds = Number(values.rounds);
const readerCount = 8;
const followedCount = 60;
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

const eventLoopFile = join(tmpdir(), `fieldfare-fan-out-${process.pid}`);
const network = new Network(Number(values['network-port']));
try {
  await network.start({ http2: false, hasLowPriority: true });
  const { NODE_OPTIONS = '', ...env } = network.env;
  const profiling = values.profile === undefined ? '' : ` --cpu-prof --cpu-prof-dir=${values.profile}`;
  const command = `export EVENT_LOOP_FILE='${eventLoopFile}' NODE_OPTIONS='${NODE_OPTIONS} ${watchOption}${profiling}'; ${manifest.scripts.start}`;
  const { port, accounts, statuses } = values;
  const seeded = new SeededServer({ name: 'fan-out', port, accounts, statuses, env });
  try {
    const cases = await seeded.run(command, (app, { id }) => measureCases(app, id, seeded.origin));
    const database = `--accounts ${accounts} --statuses ${statuses} --seconds ${values.seconds}`;
    const counts = `${database} --followers ${size.followers} --hosts ${size.hosts} --rounds ${rounds} --homes ${values.homes} --posts ${values.posts}`;
    const section = renderFanOut(`npm run bench -- fan-out ${counts}`, size, cases);
    writeSection(section, { print: values.print || values.only !== undefined });
  } finally {
    seeded.close();
  }
} finally {
  await network.stop();
  rmSync(eventLoopFile, { force: true });
}
process.exit(0);

async function measureCases(app: App, server: number, origin: string): Promise<FanOutCase[]> {
  const create = await userCreator(app);
  const readers = await createReaders(app, create);
  const popular = await create('popular');
  printStatus(`Storing ${size.followers} followers`);
  await seedFollowers(app, popular.accountId, { ...size, port: network.port });
  await sql`vacuum analyze`.execute(app.db);
  const others: OtherUsers = {
    origin,
    tokens: readers.map(({ token }) => token),
    homesPerSecond: Number(values.homes),
    postsPerSecond: Number(values.posts),
    seconds: Number(values.seconds),
    quietSeconds: 6,
  };
  const post = () => measureMs(() => postAs(origin, popular.token));
  const doomed: AccountId[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { accountId } = await create(`doomed${round}`);
    await loadSigningKeys(app, accountId);
    doomed.push(accountId);
  }
  const remove = () => measureMs(() => deleteAccount(app, doomed.pop() ?? popular.accountId));
  const { hosts } = size;
  const other = startOtherProgram(8_000);
  const kinds = [
    { name: 'post', start: post, expected: hosts },
    { name: 'delete', start: remove, expected: hosts },
    { name: 'other program', ...other, expected: 0 },
  ].filter(({ name }) => values.only === undefined || values.only === name);
  const results = kinds.map((kind) => ({ ...kind, results: [] as FanOutResult[] }));
  await warmUp({ ...others, seconds: others.quietSeconds });
  await waitUntilIdle(app);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, results: ofKind, ...fanOut } of results) {
      const result = await measureFanOut({ app, network, server, eventLoopFile }, others, fanOut);
      ofKind.push(result);
      printStatus(`${name}: ${describe(result)}`);
      await waitUntilIdle(app);
      await pause(1_000);
    }
  }
  return results.map(({ name, results: ofKind }) => ({ name, results: ofKind }));
}

async function createReaders(app: App, create: Awaited<ReturnType<typeof userCreator>>) {
  const followed = await app.db
    .selectFrom('accounts')
    .select('id')
    .where('domain', 'is', null)
    .where('username', 'like', '%.%')
    .orderBy('id')
    .limit(followedCount)
    .execute();
  const readers = await Promise.all(Array.from({ length: readerCount }, (_, index) => create(`reader${index}`)));
  for (const { accountId } of readers) for (const { id } of followed) await followAccount(app, accountId, id);
  return readers;
}

function describe({ homeBefore, homeDuring, postBefore, postDuring, ...rest }: FanOutResult): string {
  return JSON.stringify({
    ...rest,
    samples: [homeBefore, homeDuring, postBefore, postDuring].map((list) => list.length),
  });
}

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
