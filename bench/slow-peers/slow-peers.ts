// Measures how long healthy parties wait while others are silent: npm run bench -- slow-peers. Writes docs/benchmarks.md.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withApp } from '../../server/cli/open/open-app.ts';
import type { App } from '../../server/platform/app.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import manifest from '../../package.json' with { type: 'json' };
import { replaceSection } from '../markdown-section.ts';
import { HealthyHost, SilentHosts } from './slow-hosts.ts';
import { SlowPeerScene, type Durations } from './slow-peer-scene.ts';
import { startProcess } from '../start-process.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3998' },
    /** Part of the names of the scenarios to run. */
    only: { type: 'string', default: '' },
    /** Print the table and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

/** What is silent at the same time as the healthy parties are measured. */
const scenarios = [
  { name: 'nobody', hosts: 0, activities: 0, links: 0 },
  { name: '1,500 hosts', hosts: 1_500, activities: 0, links: 0 },
  { name: '30 activities', hosts: 0, activities: 30, links: 0 },
  { name: '64 links', hosts: 0, activities: 0, links: 64 },
  { name: 'all of them', hosts: 1_500, activities: 30, links: 64 },
] as const;

const selectedScenarios = scenarios.filter(({ name }) => name.includes(values.only));

/** Seconds after the beginning of the load at which the healthy parties begin. */
const startDelaysSeconds = [0, 1, 4];
/** Everything silent has timed out after this. */
const coolDownMs = 15_000;
const maxRunMs = 8 * 60_000;

const root = join(import.meta.dirname, '..', '..');
const dataDir = mkdtempSync(join(tmpdir(), 'fieldfare-slow-peers-'));
const env = {
  DATA_DIR: dataDir,
  PORT: values.port,
  BASE_URL: `http://localhost:${values.port}`,
  ALLOW_PRIVATE_ADDRESSES: 'on',
  LOG_LEVEL: 'error',
};
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

const server = await startProcess('sh', ['-c', manifest.scripts.start], { env, ready: /is ready/ });
const runTimeout = setTimeout(() => {
  printStatus('The measurement took too long and is given up.');
  void server.stop().finally(() => process.exit(1));
}, maxRunMs);
try {
  const section = await withApp(parseConfig(env, root), createLog({ level: 'error' }), measureAll);
  process.stdout.write(section);
  const file = join(root, 'docs', 'benchmarks.md');
  if (!values.print) writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), section));
} finally {
  clearTimeout(runTimeout);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

async function measureAll(app: App): Promise<string> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await using healthy = await HealthyHost.start(keys.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  await using silent = new SilentHosts();
  const parties = await SlowPeerScene.create(app, { healthy, silent, privateKey: keys.privateKey });
  await parties.measure();
  const results: Durations[] = [];
  for (const { name, ...load } of selectedScenarios) {
    printStatus(`Measuring while ${name} are silent`);
    const begin = await parties.prepareLoad(load);
    const measured: Promise<Durations>[] = [];
    const began = performance.now();
    const loading = begin();
    for (const moment of startDelaysSeconds) {
      await pause(Math.max(0, began + moment * 1_000 - performance.now()));
      measured.push(parties.measure());
    }
    await loading;
    results.push(slowest(await Promise.all(measured)));
    printStatus(`  ${JSON.stringify(results.at(-1))}, ${silent.openConnections} connections are silent`);
    if (name !== 'nobody') await pause(coolDownMs);
  }
  return renderSection(results);
}

function slowest(measured: readonly Durations[]): Durations {
  const most = (name: keyof Durations): number => Math.max(...measured.map((waits) => waits[name]));
  return {
    deliveryMs: most('deliveryMs'),
    firstDeliveryMs: most('firstDeliveryMs'),
    activityMs: most('activityMs'),
    mailMs: most('mailMs'),
    imageMs: most('imageMs'),
  };
}

function renderSection(results: readonly Durations[]): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const rows = results.map(
    ({ deliveryMs, firstDeliveryMs, activityMs, mailMs, imageMs }, index) =>
      `| ${selectedScenarios[index]?.name} | ${[deliveryMs, firstDeliveryMs, activityMs, mailMs, imageMs].map(seconds).join(' | ')} |`,
  );
  return [
    '## Slow peers',
    '',
    'How long healthy parties wait while others accept connections and never answer, with the default pool and settings:',
    'hosts that nothing was ever sent to before, activities whose senders answer posts on silent hosts, and posts that',
    'link to silent pages. Each figure is the slowest of three, begun 0, 1 and 4 s after the load; aim: 2 s more than',
    'without.',
    '',
    '- Command: `npm run bench -- slow-peers`',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
    '',
    '| silent | delivery | delivery to a new host | received activity | password reset mail | proxied image |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
