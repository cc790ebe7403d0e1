// Measures what domain blocks and moderation rules cost posts: npm run bench -- moderation. Writes a section of
// docs/benchmarks.md.
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import manifest from '../../package.json' with { type: 'json' };
import { countLargeDatabase } from '../count-measures.ts';
import { measureUsage } from '../cpu.ts';
import { SeededServer } from '../seeded-server.ts';
import { sendLoad } from '../send-load.ts';
import { describeRun, writeSection } from '../write-section.ts';
import { inboxCases, measureInbox } from './inbox-cases.ts';
import { measureByTurns } from './measure-rounds.ts';
import { setBlocks, setRules } from './moderation-settings.ts';
import { Network } from './network.ts';
import { options } from './options.ts';
import { createScene, type FederationScene } from './scene.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

const blockCount = 1_000;
const ruleCount = 100;
const warmUpCount = 200;
const maxRatio = 1.05;

const moderations = [
  { name: 'nothing', blocks: 0, rules: 0 },
  { name: `${blockCount.toLocaleString('en')} domain blocks`, blocks: blockCount, rules: 0 },
  { name: `${ruleCount} moderation rules`, blocks: 0, rules: ruleCount },
] as const;

type Measure = (scene: FederationScene, server: number, count: number) => Promise<number>;

const operations: readonly { readonly name: string; readonly measure: Measure }[] = [
  { name: 'received Create', measure: measureReceived },
  { name: 'POST status', measure: measurePosted },
];

const { size, connections } = options;
const cases = moderations.flatMap((moderation) =>
  operations.map((operation) => ({ name: `${operation.name}, ${moderation.name}`, moderation, operation })),
);
type Case = (typeof cases)[number];

const network = new Network(options.networkPort);
try {
  await network.start(options);
  const { NODE_OPTIONS = '', ...env } = network.env;
  const command = `export NODE_OPTIONS='${NODE_OPTIONS}'; ${manifest.scripts.start}`;
  const seeded = new SeededServer({ name: 'moderation', dataDir: options.data, ...options, env });
  try {
    const results = await seeded.run(command, async (app, { id }) => {
      const scene = await createScene(app, { network, origin: seeded.origin, size });
      await countLargeDatabase(app);
      await sql`vacuum analyze`.execute(app.db);
      const measured = await measureByTurns(cases.map((item) => ({ item, run: () => measureCase(scene, id, item) })));
      await moderate(app, moderations[0]);
      return measured;
    });
    writeSection(renderSection(results), options);
  } finally {
    seeded.close();
  }
} finally {
  await network.stop();
}
process.exit(0);

/** Returns the milliseconds of CPU of an operation, without the jobs and evicted caches of the change before. */
async function measureCase(scene: FederationScene, server: number, { moderation, operation }: Case): Promise<number> {
  await moderate(scene.app, moderation);
  await operation.measure(scene, server, warmUpCount);
  return operation.measure(scene, server, options.activities);
}

async function moderate(app: App, { blocks, rules }: (typeof moderations)[number]): Promise<void> {
  await setBlocks(app, blocks);
  await setRules(app, rules);
  await waitUntilIdle(app);
}

async function measureReceived(scene: FederationScene, server: number, count: number): Promise<number> {
  const [inboxCase] = inboxCases;
  if (inboxCase === undefined) throw new Error('there is no case');
  const { nodeMs, postgresMs } = await measureInbox(scene, { server, connections }, { inboxCase, count });
  return nodeMs + postgresMs;
}

async function measurePosted({ app, origin, reader }: FederationScene, server: number, count: number): Promise<number> {
  const status = 'The swifts are back over the yards since this morning, and nobody else has noticed.';
  const body = JSON.stringify({ status, visibility: 'unlisted', language: 'en' });
  const request = { method: 'POST', path: '/api/v1/statuses', body } as const;
  const before = measureUsage(server);
  const plan = { origin, requests: [request], count, tokens: [reader.token], connections, seconds: 600 };
  const { failures } = await sendLoad(plan);
  await waitUntilIdle(app);
  const after = measureUsage(server);
  if (failures > 0) throw new Error(`${failures} of ${count} posts were refused`);
  return (after.nodeMs + after.postgresMs - before.nodeMs - before.postgresMs) / count;
}

function renderSection(results: readonly { readonly item: Case; readonly rounds: readonly number[] }[]): string {
  const lines = results.map(({ item: { moderation, operation }, rounds }) => {
    const plain = results.find(({ item }) => item.operation === operation)?.rounds ?? [];
    const ratios = rounds.map((cost, round) => (cost / (plain[round] ?? Number.NaN)).toFixed(2));
    const range = `${Math.min(...rounds).toFixed(2)}–${Math.max(...rounds).toFixed(2)} ms`;
    const times =
      moderation === moderations[0] ? '' : `${medianOf(ratios.map(Number)).toFixed(2)} (${ratios.join(', ')})`;
    return `| ${operation.name} | ${moderation.name} | ${medianOf(rounds).toFixed(2)} ms | ${range} | ${times} |`;
  });
  return [
    '## Domain blocks and rules on posts',
    '',
    'CPU of a post, from the request to its last job, by turns on one server: with domain blocks of all severities (one is',
    'of the host of the senders, and limits nothing), with rules of ten keywords each that match nothing, and without both.',
    '',
    ...describeRun(`npm run bench -- moderation --rounds ${options.rounds} --activities ${options.activities}`),
    '',
    `| post | with | CPU | range | times as much, median and rounds (aim: ${maxRatio}) |`,
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
