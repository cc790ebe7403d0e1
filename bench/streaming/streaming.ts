// Measures streams: npm run bench -- streaming. Writes a section of docs/benchmarks.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withApp } from '../../server/cli/open/open-app.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import manifest from '../../package.json' with { type: 'json' };
import { measureUsage } from '../cpu.ts';
import { replaceSection } from '../markdown-section.ts';
import { measureTurns, watchOption } from '../measure-turns.ts';
import { startProcess } from '../start-process.ts';
import { now, StreamClients } from './stream-client-process.ts';
import { createStreamScene, type StreamScene } from './stream-scene.ts';
import { renderDelays, renderStreams, type Delays, type PostCost, type StreamsResult } from './streaming-report.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3997' },
    readers: { type: 'string', default: '10000' },
    /** Measure only the delay of a post, and print it. */
    delays: { type: 'boolean', default: false },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});
const port = Number(values.port);
const readers = Number(values.readers);
const fewReaders = Math.min(500, readers);
const rounds = 7;
const latencyPosts = 100;
/** Before the delay is measured: a server compiles the code that runs often. */
const warmUpPosts = 300;
/** After which a post has no more consequences. */
const settleMs = 1_500;
const idleMs = 15_000;
const maxRunMs = 20 * 60_000;

const root = join(import.meta.dirname, '..', '..');
const dataDir = mkdtempSync(join(tmpdir(), 'fieldfare-streaming-'));
const eventLoopFile = join(dataDir, 'event-loop');
const env = {
  DATA_DIR: dataDir,
  PORT: values.port,
  BASE_URL: `http://localhost:${port}`,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
};
const watch = {
  EVENT_LOOP_FILE: eventLoopFile,
  NODE_OPTIONS: watchOption,
};
const nothing: PostCost = { nodeMs: 0, postgresMs: 0 };
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

const server = await startProcess('sh', ['-c', manifest.scripts.start], {
  env: { ...env, ...watch },
  ready: /is ready/,
});
const clients = new StreamClients(port);
const runTimeout = setTimeout(() => {
  printStatus('The measurement took too long and is given up.');
  clients.end();
  void server.stop().finally(() => process.exit(1));
}, maxRunMs);
try {
  printStatus('Storing the scene');
  const scene = await withApp(parseConfig(env, root), createLog({ level: 'error' }), (app) =>
    createStreamScene(app, { readers, fewReaders }),
  );
  for (let warmUp = 0; warmUp < 20; warmUp += 1)
    for (const token of [scene.starToken, scene.authorToken, scene.smallToken]) await post(token);
  await pause(5_000);

  if (values.delays) process.stdout.write(`${renderDelays(...(await measureBothDelays(scene))).join('\n')}\n`);
  else await measureAll(scene);
} finally {
  clearTimeout(runTimeout);
  clients.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

async function measureAll(scene: StreamScene): Promise<void> {
  const before = await repeat(() => measurePost(scene.starToken, 0));
  const rssBefore = measureUsage(server.id).rssBytes;
  const webSockets = await measureStreams({ name: 'WebSockets', how: 'websocket', maxMicroseconds: 25 });
  const between = await repeat(() => measurePost(scene.starToken, 0));
  const events = await measureStreams({ name: 'server-sent events', how: 'sse', maxMicroseconds: 45 });
  const after = await repeat(() => measurePost(scene.starToken, 0));
  const [delays, bareDelays] = await measureBothDelays(scene);
  const section = renderStreams({
    readers,
    streams: [
      { ...webSockets, without: [...before, ...between] },
      { ...events, without: [...between, ...after] },
    ],
    idleBytes: webSockets.idleBytes,
    delays,
    bareDelays,
  });
  process.stdout.write(section);
  const file = join(root, 'docs', 'benchmarks.md');
  if (!values.print) writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), section));

  async function measureStreams({
    how,
    ...kind
  }: Pick<StreamsResult, 'name' | 'maxMicroseconds'> & { readonly how: 'websocket' | 'sse' }): Promise<
    Omit<StreamsResult, 'without'> & { readonly idleBytes: number }
  > {
    printStatus(`Opening ${readers} ${kind.name}`);
    await clients.open(scene.readerTokens, how);
    // All connections are pinged and checked in half a minute.
    await pause(35_000);
    const idleBytes = (measureUsage(server.id).rssBytes - rssBefore) / readers;
    await measurePost(scene.starToken, readers);
    const idlePerSecond = await measureIdle();
    printStatus(`${idleBytes} bytes each, ${JSON.stringify(idlePerSecond)} in a second`);
    const posts = await repeat(() => measurePost(scene.starToken, readers, idlePerSecond));
    const lastMs = await repeat(() => measureLastReceipt(scene.authorToken));
    const maxTurnMs = await measureLongestTurn(scene.starToken);
    await clients.close();
    await pause(2_000);
    return { ...kind, posts, idlePerSecond, lastMs, maxTurnMs, idleBytes };
  }
}

/** Returns the delays of the server, and those of a server that does nothing but send. */
async function measureBothDelays(scene: StreamScene): Promise<[Delays, Delays]> {
  return [await measureDelays(clients, port, scene), await measureBareDelays(scene)];
}

/** Posts to few streams of all followers of another author, and measures the times of the answer and the receipts. */
async function measureDelays(receivers: StreamClients, toPort: number, scene: StreamScene): Promise<Delays> {
  printStatus('Measuring the delay');
  await receivers.open(scene.readerTokens.slice(0, fewReaders), 'websocket');
  const [answers, receipts]: [number[], number[]] = [[], []];
  for (let count = -warmUpPosts; count < latencyPosts; count += 1) {
    const received = receivers.receive(fewReaders);
    const began = now();
    const [answered, times] = await Promise.all([post(scene.smallToken, toPort).then(now), received]);
    if (count >= 0) {
      answers.push(answered - began);
      receipts.push(...times.map((time) => time - began));
    }
    if (count >= -10) await pause(100);
  }
  return { streams: fewReaders, answers, receipts };
}

async function measureBareDelays(scene: StreamScene): Promise<Delays> {
  const bare = await startProcess(process.execPath, ['bench/streaming/bare-streams.ts'], {
    ready: /is ready on port (\d+)/,
  });
  const barePort = Number(bare.captured[0]);
  const receivers = new StreamClients(barePort);
  try {
    return await measureDelays(receivers, barePort, scene);
  } finally {
    receivers.end();
    await bare.stop();
  }
}

async function post(token: string, toPort = port): Promise<void> {
  const response = await fetch(`http://localhost:${toPort}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      status: 'Fieldfares eat berries in winter, and worms when the ground is soft.',
      language: 'en',
    }),
  });
  if (response.status !== 200) throw new Error(`a post was answered with ${response.status}`);
  await response.arrayBuffer();
}

async function repeat<Result>(measure: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure());
  printStatus(JSON.stringify(results));
  return results;
}

/** Posts once, and measures until all streams received it and its jobs are done, without the cost of idle streams. */
async function measurePost(token: string, streams: number, idlePerSecond = nothing): Promise<PostCost> {
  const before = measureUsage(server.id);
  const began = now();
  const received = streams === 0 ? undefined : clients.receive(streams);
  await post(token);
  await received;
  await pause(settleMs);
  const after = measureUsage(server.id);
  const seconds = (now() - began) / 1_000;
  return {
    nodeMs: after.nodeMs - before.nodeMs - seconds * idlePerSecond.nodeMs,
    postgresMs: after.postgresMs - before.postgresMs - seconds * idlePerSecond.postgresMs,
  };
}

async function measureIdle(): Promise<PostCost> {
  const before = measureUsage(server.id);
  const began = now();
  await pause(idleMs);
  const after = measureUsage(server.id);
  const seconds = (now() - began) / 1_000;
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / seconds,
    postgresMs: (after.postgresMs - before.postgresMs) / seconds,
  };
}

async function measureLastReceipt(token: string): Promise<number> {
  const began = now();
  const received = clients.receive(readers);
  await post(token);
  const last = (await received).at(-1) ?? began;
  await pause(settleMs);
  return last - began;
}

async function measureLongestTurn(token: string): Promise<number> {
  const turns = await measureTurns(server.id, eventLoopFile);
  await measureLastReceipt(token);
  return (await turns.end()).maxMs;
}
