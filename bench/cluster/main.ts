// Starts a cluster on this machine: npm run cluster. See docs/scaling.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isOneOf } from '../../server/platform/known-names.ts';
import { userCreator } from '../scene.ts';
import { Cluster, findMissingPrograms, parts, type Part } from './cluster.ts';
import { observeFailure, type Observation } from './observe-failure.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    /** A part, or several: kills them one after another while a few apps use the server, and ends. */
    kill: { type: 'string', multiple: true, default: [] },
    /** Port of HAProxy. */
    port: { type: 'string', default: '8443' },
  },
});
const kills = values.kill.map(parsePart);
const missing = findMissingPrograms();
if (missing.length > 0)
  fail(`Not installed: ${missing.join('; ')}. On Debian and Ubuntu, as root: node bin/install-test-programs.mjs`);
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-cluster-'));
const cluster = await Cluster.start({ folder, port: Number(values.port) }, print);
try {
  const { token } = await cluster.withApp(async (app) => (await userCreator(app))('alice'));
  print('');
  for (const { name, port, program } of cluster.lines)
    print(`  ${name.padEnd(34)}127.0.0.1:${String(port ?? '').padEnd(8)}process ${program.processId}`);
  print(`\n${cluster.origin} (its certificate is its own); files in ${folder}`);
  for (const part of kills) {
    print('');
    printObservation(part, await observeFailure(cluster, part, { token, report: print }));
  }
  if (kills.length === 0) {
    print('Sign in as alice@bench.test with the password "correct horse battery staple". Ctrl-C ends everything.');
    await untilSignal();
  }
} finally {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** Resolves at the first signal to stop. Until then, a signal ends this process with its programs. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function parsePart(name: string): Part {
  return isOneOf(parts, name) ? name : fail(`Unknown part: ${name}. Known ones: ${parts.join(', ')}.`);
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

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
