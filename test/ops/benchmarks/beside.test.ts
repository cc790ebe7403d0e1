import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { startServer } from '../../server.ts';
import { migratedInstallation } from '../migrated-installation.ts';
import { cellsOf, runBenchmark, toArguments } from './run-benchmark.ts';

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
    await using installation = await migratedInstallation();
    const data = installation.dataDir;
    const own = {
      port: await findFreePort(),
      data,
      accounts: 20,
      statuses: 100,
      rounds: 1,
      requests: 4,
      pid: process.pid,
    };
    const args = ['beside', `http://127.0.0.1:${port}`, alice.token ?? '', ...toArguments(own)];
    const table = await runBenchmark('main.ts', args);
    const reads = [
      'verify_credentials',
      'instance v2',
      'one status',
      'home timeline, 40',
      'context of 60',
      'notifications, 20',
    ];
    for (const name of [...reads, 'search accounts', 'favourite', 'unfavourite', 'POST status']) {
      const cells = cellsOf(table, name) ?? [];
      const [ourBytes, theirBytes, failed] = cells.slice(5);
      expect([Number(ourBytes) > 0, Number(theirBytes) > 0], name).toEqual([true, true]);
      expect(failed, name).toBe('');
    }
  },
);
