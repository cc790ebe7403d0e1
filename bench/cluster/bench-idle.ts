// Measures what a cluster costs while nobody uses it: npm run bench -- idle. Writes a section of docs/benchmarks.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureUsage } from '../cpu.ts';
import { describeRun, writeSection } from '../write-section.ts';
import { Cluster, type ClusterLine } from './cluster.ts';
import { serverRole } from './postgres-server.ts';

const { values } = parseArgs({
  options: {
    /** Replicas of each cluster to measure. */
    replicas: { type: 'string', multiple: true, default: ['0', '1', '2'] },
    /** How long each one is measured. */
    seconds: { type: 'string', default: '120' },
    /** Print the table and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

/** After the start, when caches are loaded and code is compiled. */
const settleMs = 30_000;
const seconds = Number(values.seconds);

process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
process.removeAllListeners('warning');

const sizes: ReadonlyMap<string, Idle>[] = [];
for (const replicas of values.replicas) {
  process.stderr.write(`${replicas} replicas\n`);
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-cluster-'));
  try {
    const settings = { WEB_CLIENT_DIR: 'none' };
    await using cluster = await Cluster.start({ folder, web: 1, replicas: Number(replicas), settings });
    const idle = await measureIdle(cluster);
    sizes.push(idle);
    for (const [name, { cpuMs, memoryMb, transactions }] of idle)
      process.stderr.write(`  ${name}: ${cpuMs} ms, ${memoryMb} MB, ${transactions ?? 'no'} transactions\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
writeSection(render(), values);
process.exit(0);

/** What a part does in a minute. */
interface Idle {
  readonly cpuMs: number;
  readonly memoryMb: number;
  /** Of PostgreSQL. */
  readonly transactions: number | undefined;
}

async function measureIdle(cluster: Cluster): Promise<Map<string, Idle>> {
  await pause(settleMs);
  const before = await Promise.all(cluster.lines.map((line) => read(cluster, line)));
  await pause(seconds * 1000);
  const after = await Promise.all(cluster.lines.map((line) => read(cluster, line)));
  const perMinute = (to: number, from: number): number => ((to - from) * 60) / seconds;
  return new Map(
    cluster.lines.map(({ name }, at) => {
      const [from, to] = [before[at], after[at]];
      if (from === undefined || to === undefined) throw new Error(`${name} was not read`);
      const { cpuMs, memoryMb, transactions: end } = to;
      const transactions =
        end === undefined || from.transactions === undefined ? undefined : perMinute(end, from.transactions);
      return [name, { cpuMs: perMinute(cpuMs, from.cpuMs), memoryMb, transactions }];
    }),
  );
}

/** Reads what a part has done since its start. */
async function read(cluster: Cluster, { program, port }: ClusterLine): Promise<Idle> {
  const { nodeMs, postgresMs, rssBytes } = measureUsage(program.processId);
  const rows = await cluster.databases
    .find((server) => server.port === port)
    ?.query<{ transactions: number }>(
      `select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = '${serverRole.database}'`,
      'postgres',
    );
  return { cpuMs: nodeMs + postgresMs, memoryMb: rssBytes / 1_048_576, transactions: rows?.[0]?.transactions };
}

function render(): string {
  const names = [...new Set(sizes.flatMap((size) => [...size.keys()]))];
  const cells = (name: string): string[] =>
    sizes.flatMap((size) => {
      const { cpuMs, memoryMb, transactions } = size.get(name) ?? {};
      return [
        cpuMs === undefined ? '' : `${Math.round(cpuMs)} ms`,
        memoryMb === undefined || memoryMb === 0 ? '' : `${Math.round(memoryMb)} MB`,
        transactions === undefined ? '' : String(Math.round(transactions)),
      ];
    });
  const heads = values.replicas.map((count) => `${count} replicas: CPU | memory | transactions`);
  return [
    '## An idle cluster',
    '',
    'What each process of a cluster costs in a minute in which nobody uses it: one web process, one for streams, two workers, a',
    'PgBouncer for each PostgreSQL. Transactions are those of the database of the server; most have one statement. Memory is',
    'resident, without that of PostgreSQL, whose processes share it.',
    '',
    ...describeRun(`npm run bench -- idle --seconds ${values.seconds}`),
    '',
    `| | ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length * 3 + 1)}`,
    ...names.map((name) => `| ${[name, ...cells(name)].join(' | ')} |`),
    '',
  ].join('\n');
}
