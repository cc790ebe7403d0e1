import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findMissingPrograms } from '../../bench/cluster/cluster.ts';
import { findFreePort } from '../free-port.ts';
import { skipUnlessCi } from '../programs.ts';

const root = join(import.meta.dirname, '..', '..');

interface Run {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts what `npm run cluster` starts, in a group of its own as a shell does. Its files go to `folder`. */
function runCluster(folder: string, args: readonly string[], path = process.env['PATH'] ?? ''): Run {
  const command = [join(root, 'bin/run.mjs'), 'bench/cluster/main.ts', ...args];
  const env = { PATH: path, TMPDIR: folder, HOME: folder };
  const child = spawn(process.execPath, command, { cwd: root, env, detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, exited };
}

/** Returns a folder that users without rights may enter. */
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-cluster-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

/** Waits until a cluster is complete. Returns the ids of its processes. */
async function waitForMap({ child, exited }: Run): Promise<number[]> {
  let text = '';
  const printed = new Promise<void>((resolve) =>
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('Ctrl-C ends everything')) resolve();
    }),
  );
  await Promise.race([printed, exited.then(({ stderr }) => Promise.reject(new Error(`ended: ${stderr}`)))]);
  return [...text.matchAll(/process (\d+)/g)].map(([, id]) => Number(id));
}

test(
  'a cluster ends with its command, be it by Ctrl-C or kill -9, and can be started again',
  { timeout: 300_000 },
  async (context) => {
    const missing = findMissingPrograms();
    if (missing.length > 0) skipUnlessCi(context, `${missing.join(', ')}: node bin/install-test-programs.mjs`);
    const folder = createFolder();
    const port = await findFreePort();
    const files = join(folder, `fieldfare-cluster-${port}`);
    const first = runCluster(folder, ['--port', String(port)]);
    const ids = await waitForMap(first);
    // HAProxy, two web, one streaming, two workers, two PgBouncer, two PostgreSQL, Valkey and the S3 server.
    expect(ids).toHaveLength(12);
    const group = first.child.pid ?? 0;
    const [main = 0] = readFileSync(`/proc/${group}/task/${group}/children`, 'utf8').trim().split(' ').map(Number);
    process.kill(main, 'SIGKILL');
    await first.exited;
    await expect.poll(() => ids.filter(isAlive)).toEqual([]);
    expect(existsSync(files)).toBe(true);

    const second = runCluster(folder, ['--port', String(port)]);
    const others = await waitForMap(second);
    // A terminal sends it to the whole group.
    process.kill(-(second.child.pid ?? 0), 'SIGINT');
    const { code, stderr } = await second.exited;
    expect([code, stderr]).toEqual([0, '']);
    expect(others.filter(isAlive)).toEqual([]);
    expect(existsSync(files)).toBe(false);
  },
);

test('what prevents a cluster is one line', async () => {
  const folder = createFolder();
  const bin = createFolder();
  for (const name of ['node', 'sh']) symlinkSync(name === 'node' ? process.execPath : '/bin/sh', join(bin, name));
  const refuse = async (args: readonly string[], path?: string): Promise<string> => {
    const { code, stdout, stderr } = await runCluster(folder, args, path).exited;
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [stderr.trim()]]);
    return stderr;
  };
  expect(await refuse(['--kill', 'walrus'])).toContain('Unknown part: walrus. Known ones: web, streaming, worker,');
  expect(await refuse(['--port', '0'])).toContain('--port must be from 1 to 65535');
  // As npm passes options on without `--`.
  expect(await refuse(['web'])).toContain(`Unexpected argument 'web'`);
  expect(await refuse([], bin)).toContain('Not installed: haproxy; openssl; valkey-server or redis-server; pgbouncer');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  if (findMissingPrograms().length === 0)
    expect(await refuse(['--port', String(port)])).toContain(`Port ${port} is used by another program.`);
  other.close();
});
