import { expect, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { migratedInstallation } from '../migrated-installation.ts';
import { cellsOf, runBenchmark } from './run-benchmark.ts';

test(
  'npm run bench -- federation measures activities, deliveries and accepting with few of each',
  { timeout: 300_000 },
  async () => {
    const [port, networkPort] = [await findFreePort(), await findFreePort()];
    await using installation = await migratedInstallation();
    const options = {
      port,
      data: installation.dataDir,
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
