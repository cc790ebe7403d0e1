// Starts a cluster on this machine: npm run cluster. See docs/scaling.md.
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toError } from '../../server/platform/errors.ts';
import { isOneOf } from '../../server/platform/known-names.ts';
import { userCreator } from '../scene.ts';
import { Cluster, findMissingPrograms, parts, type Part } from './cluster.ts';
import { observeFailure, type Observation } from './observe-failure.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  await runCluster();
  process.exit(0);
} catch (error) {
  const { message, cause } = toError(error);
  process.stderr.write(`${message}${cause === undefined ? '' : `: ${toError(cause).message}`}\n`);
  process.exit(1);
}

/** Starts a cluster, and kills parts of it or waits for a signal. Throws for what the caller can fix. */
async function runCluster(): Promise<void> {
  const { port, kills } = parseOptions();
  const missing = findMissingPrograms();
  if (missing.length > 0)
    throw new Error(
      `Not installed: ${missing.join('; ')}. On Debian and Ubuntu, as root: node bin/install-test-programs.mjs`,
    );
  await assertFree(port);
  const folder = createFolder(port);
  await using cluster = await Cluster.start({ folder, port }, print);
  const { token } = await cluster.withApp(async (app) => (await userCreator(app))('alice'));
  print('');
  for (const { name, port: ownPort, program } of cluster.lines)
    print(`  ${name.padEnd(34)}127.0.0.1:${String(ownPort ?? '').padEnd(8)}process ${program.processId}`);
  print(`\n${cluster.origin} (its certificate is its own); files in ${folder}`);
  for (const part of kills) {
    print('');
    printObservation(part, await observeFailure(cluster, part, { token, report: print }));
  }
  if (kills.length > 0) return;
  const stopped = untilSignal();
  print('Sign in as alice@bench.test with the password "correct horse battery staple". Ctrl-C ends everything.');
  await stopped;
}

function parseOptions(): { readonly port: number; readonly kills: readonly Part[] } {
  const { values } = parseArgs({
    options: {
      /** A part, or several: kills them one after another while a few apps use the server, and ends. */
      kill: { type: 'string', multiple: true, default: [] },
      /** Port of HAProxy. */
      port: { type: 'string', default: '8443' },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port < 1 || port > 65_535) throw new Error('--port must be from 1 to 65535');
  return { port, kills: values.kill.map(parsePart) };
}

/** Creates the folder of a cluster, and deletes what one on the same port left that was killed. It is deleted at the end. */
function createFolder(port: number): string {
  const folder = join(tmpdir(), `fieldfare-cluster-${port}`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  remove();
  mkdirSync(folder);
  process.once('exit', remove);
  return folder;
}

/** HAProxy is started last, and would not be missed if another program answered in its place. */
async function assertFree(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => server.close(() => resolve()));
  }).catch((error: unknown) => {
    const reason = toError(error).code === 'EADDRINUSE' ? 'is used by another program' : 'cannot be used';
    throw new Error(`Port ${port} ${reason}. Choose another one by --port.`);
  });
}

/**
 * Resolves at the first signal to stop. Before, a signal ends this process with its programs. Further ones change nothing:
 * at a terminal, Ctrl-C arrives twice, from the terminal and from npm.
 */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

function parsePart(name: string): Part {
  if (!isOneOf(parts, name)) throw new Error(`Unknown part: ${name}. Known ones: ${parts.join(', ')}.`);
  return name;
}

function printObservation(part: Part, { reads, posts, ...seen }: Observation): void {
  const list = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
  print(`After the death of ${part}, ${seen.acknowledged} posts were acknowledged and ${seen.stored} exist once.`);
  print(`  reads   ${list(reads)}`);
  print(`  posts   ${list(posts)}`);
  print(
    seen.failingSeconds === 0
      ? '  no request failed'
      : `  the last error came after ${seen.failingSeconds.toFixed(1)} s`,
  );
  print(`  the longest time without an accepted post was ${seen.postlessSeconds.toFixed(1)} s`);
  print(`  the longest time without an event on a stream was ${seen.eventlessSeconds.toFixed(1)} s`);
}
