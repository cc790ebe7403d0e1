import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { startServer } from '../server.ts';

const root = join(import.meta.dirname, '..', '..');
/** On a busy machine: it starts a server six times. */
const timeoutMs = 290_000;

/** Runs a benchmark and returns what it prints. Throws with all output if it fails. */
async function runBenchmark(file: string, args: readonly string[]): Promise<string> {
  const command = [join('bench', file), ...args];
  // The measured server is started by a shell, which finds Node by PATH.
  const PATH = `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`;
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { PATH },
    timeout: timeoutMs,
  });
  return stdout;
}

const toArguments = (options: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);

/** Returns the cells of the row of a table that begins with `name`. */
const cellsOf = (section: string, name: string): string[] | undefined =>
  section
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, first]) => first === name)
    ?.slice(2, -1);

test(
  'npm run bench -- federation measures activities, deliveries and accepting with few of each',
  { timeout: 300_000 },
  async () => {
    const [port, networkPort] = [await findFreePort(), await findFreePort()];
    const options = {
      port,
      'network-port': networkPort,
      accounts: 20,
      statuses: 100,
      rounds: 1,
      activities: 20,
      waiting: 20,
      posts: 1,
      hosts: 2,
      followers: 4,
      authors: 4,
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const section = await runBenchmark('federation/main.ts', [...args, '--print']);
    expect(section).toMatch(/^## Federation$/m);
    for (const name of ['Create of a followed author', 'Create that replies to a local account']) {
      const cells = cellsOf(section, name);
      // Statements for one activity.
      expect(Number(cells?.[9])).toBeGreaterThan(0);
    }
    // A connection for each host, and none when they are kept alive.
    expect(Number(cellsOf(section, 'delivery, new TLS sessions')?.[6])).toBeGreaterThanOrEqual(2);
    expect(Number(cellsOf(section, 'delivery, TLS sessions resumed')?.[7])).toBeGreaterThanOrEqual(2);
    expect(cellsOf(section, 'delivery, connections kept alive')).toBeDefined();
    for (const name of ['only `--roles web`', '`--roles web` and `--roles worker`', 'one process']) {
      expect(Number(cellsOf(section, name)?.[0])).toBeGreaterThan(0);
    }
  },
);

test(
  'npm run bench measures requests with few of each and compares them with bare ones',
  { timeout: 300_000 },
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'ff-bench-'));
    const options = { port: await findFreePort(), data, accounts: 60, statuses: 3_000, rounds: 1, requests: 8 };
    const selected = ['home', 'search', 'half a year', 'POST', 'favourite'].flatMap((name) => ['--only', name]);
    try {
      const report = await runBenchmark('main.ts', [...toArguments(options), ...selected, '--print']);
      const [costs = '', limits = ''] = report.split('## What limits each');
      const names = ['home timeline, 20', 'POST status, 4 connections', 'POST status, 16 connections'];
      for (const name of [...names, 'search accounts, whole names', 'hashtag, half a year back', 'unfavourite']) {
        // Requests in a second.
        expect(Number(cellsOf(costs, name)?.[8]), name).toBeGreaterThan(0);
        // Statements for a request. Home needs none until something arrives for it.
        const statements = Number(cellsOf(limits, name)?.[2]);
        if (name === 'home timeline, 20') expect(statements, name).toBeLessThan(1);
        else expect(statements, name).toBeGreaterThan(0);
      }
      for (const name of ['bare node:http, hello', 'bare Fastify, hello', 'bare Fastify, one row'])
        expect(Number(cellsOf(costs, name)?.[8]), name).toBeGreaterThan(0);
      expect(limits).toMatch(/An insert of 500 bytes by itself costs 0\.\d+ ms/);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  },
);

test(
  'npm run bench -- beside compares this server with another one, here of its own kind',
  { timeout: 300_000 },
  async () => {
    await using rival = await startServer();
    const alice = await rival.user('alice');
    for (const status of ['A reply may follow', 'Or not']) await alice.post('/api/v1/statuses', { status });
    await rival.drain();
    await rival.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = rival.http.server.address() as AddressInfo;
    const own = { port: await findFreePort(), accounts: 20, statuses: 100, rounds: 1, requests: 4, pid: process.pid };
    const args = ['beside', `http://127.0.0.1:${port}`, alice.token ?? '', ...toArguments(own)];
    const table = await runBenchmark('main.ts', args);
    const reads = [
      'verify_credentials',
      'instance v2',
      'one status',
      'home timeline, 40',
      'context',
      'notifications, 20',
    ];
    for (const name of [...reads, 'search accounts', 'favourite', 'unfavourite', 'POST status']) {
      const cells = cellsOf(table, name) ?? [];
      const [ourBytes, theirBytes, failed] = cells.slice(5);
      expect([Number(ourBytes?.replace(',', '')) > 0, Number(theirBytes?.replace(',', '')) > 0], name).toEqual([
        true,
        true,
      ]);
      expect(failed, name).toBe('');
    }
  },
);
