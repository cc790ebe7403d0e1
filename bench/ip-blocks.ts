// Measures what IP blocks cost each request: npm run bench -- ip-blocks. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import manifest from '../package.json' with { type: 'json' };
import type { App } from '../server/platform/app.ts';
import { transaction } from '../server/platform/write/transaction.ts';
import { measure, type Measurement } from './measure.ts';
import { compareRounds, cpuOf, medianOf } from './rounds.ts';
import { userCreator } from './scene.ts';
import { SeededServer } from './seeded-server.ts';
import type { StartedProcess } from './start-process.ts';
import { describeRun, writeSection } from './write-section.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '100' },
    statuses: { type: 'string', default: '1000' },
    blocks: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '5000' },
    port: { type: 'string', default: '3995' },
    /** A folder that is filled with demo data the first time, and kept. Default: a temporary one. */
    data: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const blockCount = Number(values.blocks);
const seeded = new SeededServer({ name: 'ip-blocks', dataDir: values.data, ...values });
const results: { readonly none: Measurement[]; readonly many: Measurement[] } = { none: [], many: [] };
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await setBlocks(0);
    results.none.push(await seeded.run(manifest.scripts.start, measureRequests));
    await setBlocks(blockCount);
    results.many.push(await seeded.run(manifest.scripts.start, measureRequests));
  }
  await setBlocks(0);
  writeSection(renderSection(), values);
} finally {
  seeded.close();
}
process.exit(0);

/** Replaces the blocks of an earlier run: networks, addresses, and IPv6 networks by thirds. */
async function setBlocks(count: number): Promise<void> {
  const comment = 'benchmark';
  await seeded.run(manifest.scripts.start, (app) =>
    transaction(app, async ({ db }) => {
      await sql`delete from ip_blocks where comment = ${comment}`.execute(db);
      await sql`
        insert into ip_blocks (id, ip, severity, comment, created_at, updated_at)
        select n, (case n % 3
            when 0 then '10.' || n / 250 || '.' || n % 250 || '.0/24'
            when 1 then '172.16.' || n / 250 || '.' || n % 250 || '/32'
            else '2001:db8:' || to_hex(n) || '::/48' end)::cidr, 'no_access', ${comment}, now(), now()
        from generate_series(1, ${count}::int) n`.execute(db);
    }),
  );
}

async function measureRequests(app: App, { id }: StartedProcess): Promise<Measurement> {
  const createUser = await userCreator(app);
  return measure(
    app,
    { origin: seeded.origin, processIds: [id], connections: 4 },
    {
      name: 'verify_credentials',
      requests: [{ method: 'GET', path: '/api/v1/accounts/verify_credentials' }],
      users: [await createUser(`bench${Date.now().toString(36)}`)],
      share: 1,
      targetMs: undefined,
    },
    { count: Number(values.requests), round: 0 },
  );
}

function renderSection(): string {
  const formatUs = (ms: number): string => `${(ms * 1000).toFixed(1)} µs`;
  const line = (name: string, rounds: readonly Measurement[]): string => {
    const { nodeMs, p50Ms, p99Ms } = medianOf(rounds);
    return `| ${name} | ${formatUs(cpuOf(medianOf(rounds)))} | ${formatUs(nodeMs)} | ${p50Ms.toFixed(2)} ms | ${p99Ms.toFixed(2)} ms |`;
  };
  const { median, all } = compareRounds(results.many, results.none);
  return [
    '## IP blocks',
    '',
    'A cheap request (`verify_credentials`) without IP blocks and with many, in turns.',
    '',
    ...describeRun('npm run bench -- ip-blocks'),
    '',
    '| IP blocks | CPU | of it Node | p50 | p99 |',
    '|---|---|---|---|---|',
    line('0', results.none),
    line(blockCount.toLocaleString('en'), results.many),
    '',
    `- With the blocks, a request costs ${median.toFixed(2)} times as much (${all} in the rounds).`,
    '',
  ].join('\n');
}
