// Measures streams: npm run bench:streaming. Writes docs/benchmarks.md.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withApp } from '../server/cli/open/open-app.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import manifest from '../package.json' with { type: 'json' };
import { measureUsage } from './cpu.ts';
import { replaceSection } from './markdown-section.ts';
import { startProcess } from './start-process.ts';
import type { ClientReport, ClientRequest } from './stream-clients.ts';
import { createStreamScene } from './stream-scene.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3997' },
    readers: { type: 'string', default: '10000' },
    /** Print the table and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});
const port = Number(values.port);
const readers = Number(values.readers);
const fewReaders = Math.min(500, readers);
const rounds = 5;
const latencyPosts = 100;
const maxRunMs = 15 * 60_000;

const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'fieldfare-streaming-'));
const env = {
  DATA_DIR: dataDir,
  PORT: values.port,
  BASE_URL: `http://localhost:${port}`,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  NODE_ENV: 'production',
};
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

/** The process that opens the streams. */
class Clients {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'stream-clients.ts'));

  async open(tokens: readonly string[], how: 'websocket' | 'sse'): Promise<void> {
    await this.#ask({ kind: 'open', port, tokens, how });
  }

  /** Resolves with the times at which the next `count` events arrived. */
  async receive(count: number): Promise<readonly number[]> {
    const report = await this.#ask({ kind: 'wait', count });
    return report.kind === 'received' ? report.times : [];
  }

  async close(): Promise<void> {
    await this.#ask({ kind: 'close' });
  }

  end(): void {
    this.#child.kill();
  }

  async #ask(request: ClientRequest): Promise<ClientReport> {
    const answered = once(this.#child, 'message');
    this.#child.send(request);
    const [report] = (await answered) as [ClientReport];
    return report;
  }
}

const now = (): number => performance.timeOrigin + performance.now();

async function post(token: string): Promise<void> {
  const response = await fetch(`http://localhost:${port}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      status: 'Fieldfares eat berries in winter, and worms when the ground is soft.',
      language: 'en',
    }),
  });
  if (response.status !== 200) throw new Error(`a post was answered with ${response.status}`);
}

interface PostCost {
  readonly lastMs: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

const byCpu = (a: PostCost, b: PostCost): number => a.nodeMs + a.postgresMs - b.nodeMs - b.postgresMs;

const server = await startProcess('sh', ['-c', manifest.scripts.start], { env, ready: /is ready/ });
const clients = new Clients();
const runTimeout = setTimeout(() => {
  printStatus('The measurement took too long and is given up.');
  clients.end();
  void server.stop().finally(() => process.exit(1));
}, maxRunMs);
try {
  printStatus('Storing the scene');
  const scene = await withApp(parseConfig(env, root), createLog({ level: 'error' }), (app) =>
    createStreamScene(app, readers),
  );

  /** Posts once, and measures until all jobs are done. */
  const measurePost = async (streams: number): Promise<PostCost> => {
    const before = measureUsage(server.id);
    const began = now();
    const received = streams === 0 ? [] : clients.receive(streams);
    await post(scene.authorToken);
    const last = (await received).at(-1) ?? began;
    await pause(3_000);
    const after = measureUsage(server.id);
    return {
      lastMs: last - began,
      nodeMs: after.nodeMs - before.nodeMs,
      postgresMs: after.postgresMs - before.postgresMs,
    };
  };
  const measureRounds = async (streams: number): Promise<PostCost> => {
    const costs: PostCost[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await measurePost(streams));
    printStatus(`${streams} streams: ${JSON.stringify(costs)}`);
    return costs.toSorted(byCpu)[rounds >> 1] as PostCost;
  };

  for (let warmUp = 0; warmUp < 20; warmUp += 1) await post(scene.authorToken);
  await pause(5_000);
  const without = await measureRounds(0);
  const rssBefore = measureUsage(server.id).rssBytes;
  printStatus('Opening WebSockets');
  await clients.open(scene.readerTokens, 'websocket');
  await pause(35_000);
  const idleBytes = (measureUsage(server.id).rssBytes - rssBefore) / readers;
  printStatus(`${idleBytes} bytes each`);
  await measurePost(readers);
  const webSockets = await measureRounds(readers);
  await clients.close();
  await pause(2_000);
  printStatus('Opening server-sent events');
  await clients.open(scene.readerTokens, 'sse');
  await pause(2_000);
  await measurePost(readers);
  const events = await measureRounds(readers);
  await clients.close();
  await pause(2_000);
  printStatus('Measuring the delay');
  await clients.open(scene.readerTokens.slice(0, fewReaders), 'websocket');
  const delays: number[] = [];
  for (let index = 0; index < latencyPosts; index += 1) {
    const received = clients.receive(fewReaders);
    const began = now();
    await post(scene.authorToken);
    for (const time of await received) delays.push(time - began);
    // The fan-out to the feeds of all readers is another measurement.
    await pause(1_000);
  }
  delays.sort((a, b) => a - b);
  const section = renderSection({ without, webSockets, events, idleBytes, delays });
  process.stdout.write(section);
  const file = join(root, 'docs', 'benchmarks.md');
  if (!values.print) writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), section));
} finally {
  clearTimeout(runTimeout);
  clients.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

interface Results {
  readonly without: PostCost;
  readonly webSockets: PostCost;
  readonly events: PostCost;
  readonly idleBytes: number;
  readonly delays: readonly number[];
}

function renderSection({ without, webSockets, events, idleBytes, delays }: Results): string {
  const perReceiver = (cost: PostCost, kind: 'nodeMs' | 'postgresMs'): number =>
    ((cost[kind] - without[kind]) * 1_000) / readers;
  const row = (name: string, cost: PostCost, aim: number): string => {
    const [node, postgres] = [perReceiver(cost, 'nodeMs'), perReceiver(cost, 'postgresMs')];
    return `| ${name} | ${(node + postgres).toFixed(1)} µs | ${aim} µs | ${node.toFixed(1)} µs | ${postgres.toFixed(1)} µs | ${(cost.lastMs / 1_000).toFixed(2)} s |`;
  };
  const quantile = (share: number): string => (delays[Math.floor(delays.length * share)] ?? 0).toFixed(1);
  return [
    '## Streams',
    '',
    `A post to ${readers.toLocaleString('en')} followers with open home streams. Each blocks and mutes ten accounts, has a filter of ten`,
    'keywords, and has the author in a list. CPU is what the post costs more than without streams, for one receiver; it',
    'includes PostgreSQL. The median of five posts.',
    '',
    '- Command: `npm run bench:streaming`',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
    '',
    '| streams | CPU for one receiver | aim | of it Node | of it PostgreSQL | until the last receipt (aim: 2 s) |',
    '|---|---|---|---|---|---|',
    row('WebSockets', webSockets, 25),
    row('server-sent events', events, 45),
    '',
    `- Memory of an idle WebSocket: ${(idleBytes / 1_000).toFixed(1)} KB (aim: 12 KB).`,
    `- From the request to post to receipt, ${fewReaders} streams: p50 ${quantile(0.5)} ms (aim: 10 ms), p99 ${quantile(0.99)} ms (aim: 100 ms).`,
    '',
  ].join('\n');
}
