// Measures what each machine of a cluster buys: npm run bench -- cluster. Writes a section of docs/benchmarks.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeRun, writeSection } from '../write-section.ts';
import { Cluster } from './cluster.ts';
import { createClusterScene, measureCluster, measuredParts, type PartCosts } from './measure-cluster.ts';

const { values } = parseArgs({
  options: {
    /** Clusters to measure, as WEB:REPLICAS. */
    size: { type: 'string', multiple: true, default: ['1:0', '1:1', '2:1', '4:1', '2:2'] },
    /** Reads of home; the others are fewer. */
    requests: { type: 'string', default: '4000' },
    activities: { type: 'string', default: '500' },
    streams: { type: 'string', default: '50' },
    /** Print the table and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

// The certificate of a cluster is its own. Processes that send the load inherit this.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
process.removeAllListeners('warning');

const rows: string[] = [];
for (const size of values.size) {
  const [web = 1, replicas = 1] = size.split(':').map(Number);
  process.stderr.write(`${web} web, ${replicas} replicas\n`);
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-cluster-'));
  try {
    await using cluster = await Cluster.start({ folder, web, replicas, settings: { WEB_CLIENT_DIR: 'none' } });
    const scene = await createClusterScene(cluster, Number(values.activities));
    const options = { requests: Number(values.requests), streams: Number(values.streams) };
    for (const costs of await measureCluster(cluster, scene, options)) rows.push(renderRow(web, replicas, costs));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
writeSection(render(), values);
process.exit(0);

function renderRow(web: number, replicas: number, { kind, perSecond, cpuMs }: PartCosts): string {
  const cells = measuredParts.map((part) => (cpuMs.get(part) ?? 0).toFixed(3));
  const sum = [...cpuMs.values()].reduce((total, ms) => total + ms, 0);
  return `| ${kind} | ${web} | ${replicas} | ${cells.join(' | ')} | ${sum.toFixed(3)} | ${Math.round(perSecond)} |`;
}

function render(): string {
  return [
    '## A cluster, by part',
    '',
    'HAProxy with TLS, web processes, one streaming process, two workers, a PgBouncer for each PostgreSQL, Valkey and an S3',
    'server, all on one machine (docs/scaling.md). Milliseconds of CPU for each request, with the stored work that it caused; a',
    'received activity is counted until it is processed, a stream by event. The machine has the same cores for every size, so',
    'the rate cannot grow with the processes: what a part costs for a request says how many of it a machine of its own serves.',
    'The first replica is synchronous. Activities, of which there are few, and events are not warmed up: compare their columns, not with the table above.',
    '',
    ...describeRun(
      `npm run bench -- cluster --requests ${values.requests} --activities ${values.activities} --streams ${values.streams}`,
    ),
    '',
    `| | web | replicas | ${measuredParts.join(' | ')} | sum | in a second, here |`,
    `|${'---|'.repeat(measuredParts.length + 5)}`,
    ...rows,
    '',
  ].join('\n');
}
