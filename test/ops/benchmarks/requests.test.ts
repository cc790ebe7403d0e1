import { expect, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { migratedInstallation } from '../migrated-installation.ts';
import { cellsOf, runBenchmark, toArguments } from './run-benchmark.ts';

test(
  'npm run bench measures requests with few of each and compares them with bare ones',
  { timeout: 300_000 },
  async () => {
    await using installation = await migratedInstallation();
    const data = installation.dataDir;
    const options = { port: await findFreePort(), data, accounts: 60, statuses: 3_000, rounds: 1, requests: 8 };
    const selected = ['home', 'search', 'half a year', 'POST', 'favourite'].flatMap((name) => ['--only', name]);
    const report = await runBenchmark('main.ts', [...toArguments(options), ...selected, '--print']);
    const [costs = '', limits = ''] = report.split('## What limits each');
    const names = ['home timeline, 20', 'POST status, 4 connections', 'POST status, 16 connections'];
    for (const name of [...names, 'search accounts, whole names', 'hashtag, half a year back', 'unfavourite']) {
      // Requests in a second.
      expect(Number(cellsOf(costs, name)?.[8]), name).toBeGreaterThan(0);
      // Statements for a request. Home needs none until something arrives for it, but schedules may run meanwhile.
      const statements = Number(cellsOf(limits, name)?.[2]);
      if (name === 'home timeline, 20') expect(statements, name).toBeGreaterThanOrEqual(0);
      else expect(statements, name).toBeGreaterThan(0);
    }
    for (const name of ['bare node:http, hello', 'bare Fastify, hello', 'bare Fastify, one row'])
      expect(Number(cellsOf(costs, name)?.[8]), name).toBeGreaterThan(0);
    expect(limits).toMatch(/An insert of 500 bytes by itself costs 0\.\d+ ms/);
  },
);
