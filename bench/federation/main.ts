// Measures federation: npm run bench:federation. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import type { App } from '../../server/platform/app.ts';
import manifest from '../../package.json' with { type: 'json' };
import { SeededServer } from '../seeded-server.ts';
import { writeSection } from '../write-section.ts';
import { deliveryCases, measureDelivery } from './delivery-cases.ts';
import { inboxCases, measureInbox } from './inbox-cases.ts';
import { Network } from './network.ts';
import { renderSection, renderStatements, type Measured } from './report.ts';
import { createScene } from './scene.ts';
import { countStatements, disableCounting, installStatementCounter, removeStatementCounter } from './statements.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '300' },
    statuses: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    /** Activities of a case in a round. */
    activities: { type: 'string', default: '2000' },
    /** Posts of a delivery case in a round. */
    posts: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    /** Hosts with followers; as many others have authors. */
    hosts: { type: 'string', default: '50' },
    followers: { type: 'string', default: '500' },
    authors: { type: 'string', default: '200' },
    /** Whether the hosts offer HTTP/2. */
    http2: { type: 'boolean', default: false },
    /** The hosts listen on the next port. */
    port: { type: 'string', default: '3994' },
    /** `inbox`, `delivery`, or part of the name of a case. */
    only: { type: 'string' },
    /** Print the slowest statements of each case. */
    statements: { type: 'boolean', default: false },
    /** Store a CPU profile of the server in this folder. */
    profile: { type: 'string' },
    /** A folder with demo data, which is kept. Default: seed a temporary one. */
    data: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const rounds = Number(values.rounds);
const connections = Number(values.connections);
const size = { hosts: Number(values.hosts), followers: Number(values.followers), authors: Number(values.authors) };
const isSelected = (group: string, { name }: { readonly name: string }): boolean =>
  values.only === undefined || values.only === group || name.includes(values.only);
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

const network = new Network(Number(values.port) + 1);
try {
  await network.start(values);
  await runAll();
} finally {
  await network.stop();
}
process.exit(0);

async function runAll(): Promise<void> {
  const { NODE_OPTIONS = '', ...env } = network.env;
  const profiling = values.profile === undefined ? '' : ` --cpu-prof --cpu-prof-dir=${values.profile}`;
  const seeded = new SeededServer({ name: 'federation', dataDir: values.data, ...values, env });
  try {
    await seeded.connect(installStatementCounter);
    const command = `export NODE_OPTIONS='${NODE_OPTIONS}${profiling}'; ${manifest.scripts.start}`;
    const section = await seeded.run(command, (app, { id }) =>
      seeded.connect((client) => measureAll(app, { client, origin: seeded.origin, server: id })),
    );
    writeSection(section, { print: values.print || values.only !== undefined });
    await seeded.connect(removeStatementCounter);
  } finally {
    seeded.close();
  }
}

async function measureAll(
  app: App,
  { client, origin, server }: { client: pg.Client; origin: string; server: number },
): Promise<string> {
  await disableCounting(client);
  printStatus('Setting the scene');
  const scene = await createScene(app, { network, origin, size });
  const statuses = await countStatuses(app);
  await sql`vacuum analyze`.execute(app.db);
  const inbox = inboxCases
    .filter((item) => isSelected('inbox', item))
    .map((inboxCase) => {
      const count = Math.ceil(Number(values.activities) * inboxCase.share);
      return {
        item: inboxCase,
        times: count,
        run: () => measureInbox(scene, { server, connections }, { inboxCase, count }),
      };
    });
  const posts = Number(values.posts);
  const delivery = deliveryCases
    .filter((item) => isSelected('delivery', item))
    .map((deliveryCase) => ({
      item: deliveryCase,
      times: posts * size.followers,
      run: () => measureDelivery(scene, server, { deliveryCase, posts }),
    }));
  const results = { inbox: await measureRounds(client, inbox), delivery: await measureRounds(client, delivery) };
  return renderSection({ command: `npm run bench:federation -- ${describeOptions()}`, statuses, size, ...results });
}

/** Runs all cases by turns: once to warm up, then the rounds, then once to count statements. */
async function measureRounds<Case extends { readonly name: string }, Result>(
  client: pg.Client,
  cases: readonly { readonly item: Case; readonly times: number; readonly run: () => Promise<Result> }[],
): Promise<Measured<Case, Result>[]> {
  const results = cases.map((): Result[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, { item, run }] of cases.entries()) {
      printStatus(round === 0 ? `Warming up: ${item.name}` : `Round ${round} of ${rounds}: ${item.name}`);
      const result = await run();
      printStatus(`  ${JSON.stringify(result)}`);
      if (round > 0) results[place]?.push(result);
    }
  }
  const measured: Measured<Case, Result>[] = [];
  for (const [place, { item, times, run }] of cases.entries()) {
    const statements = await countStatements(client, times, run);
    if (values.statements) process.stdout.write(renderStatements(item.name, statements));
    measured.push({ item, rounds: results[place] ?? [], statements });
  }
  return measured;
}

async function countStatuses(app: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from statuses`.execute(app.db);
  return rows[0]?.count ?? 0;
}

function describeOptions(): string {
  return [
    ...(values.data === undefined
      ? [`--accounts ${values.accounts} --statuses ${values.statuses}`]
      : ['--data FOLDER']),
    `--rounds ${rounds} --activities ${values.activities} --posts ${values.posts} --connections ${connections}`,
    ...(values.http2 ? ['--http2'] : []),
  ].join(' ');
}
