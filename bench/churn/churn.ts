// Simulates a month on a small database, and compares its tables and indexes to those of a fresh load: npm run bench -- churn.
// Writes a section of docs/benchmarks.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { closeApp, createApp } from '../../server/app.ts';
import { openCommandDatabase } from '../../server/cli/open/open-database.ts';
import { LocalBus } from '../../server/platform/bus/bus.ts';
import { ManualClock } from '../../server/platform/clock.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { createLog } from '../../server/platform/log.ts';
import { openPool } from '../../server/platform/wire/pool.ts';
import { changeSiteSettings } from '../../server/site/index.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { describeRun, writeSection } from '../write-section.ts';
import { Month } from './month.ts';
import { measureSizes, type RelationSize } from './relation-sizes.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '300' },
    statuses: { type: 'string', default: '10000' },
    days: { type: 'string', default: '30' },
    'posts-per-day': { type: 'string', default: '200' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

/** Smaller tables and indexes are left out. */
const minBytes = 200_000;

const dataDir = mkdtempSync(join(tmpdir(), 'fieldfare-churn-'));
try {
  writeSection(renderSection(await measureChurn()), values);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

interface Sizes {
  readonly churned: readonly RelationSize[];
  readonly fresh: readonly RelationSize[];
}

async function measureChurn(): Promise<Sizes> {
  const config = parseConfig({ DATA_DIR: dataDir, BASE_URL: 'http://localhost:3994', RATE_LIMITS: 'off' });
  const log = createLog({ level: 'error' });
  const database = await openCommandDatabase(config, log);
  const client = new pg.Client(database.directConnection);
  try {
    await migrate(database.directConnection);
    await client.connect();
    // A day takes seconds here: autovacuum looks once a second instead of once a minute.
    await client.query(`alter system set autovacuum_naptime = '1s'`);
    await client.query('select pg_reload_conf()');
    const app = createApp({
      config,
      log,
      pool: openPool(database.connection, 6),
      directConnection: database.directConnection,
      bus: new LocalBus(),
      clock: new ManualClock(),
      outgoing: {
        request: async ({ method }: { method?: string } = {}) => ({
          status: method === 'POST' ? 202 : 404,
          headers: {},
          body: Buffer.alloc(0),
        }),
        close: async () => {},
      } as never,
    });
    try {
      const size = { accounts: Number(values.accounts), statuses: Number(values.statuses) };
      const { active } = await seedDemo(app, { ...size, followsPerAccount: 50, seed: 1 }, () => {});
      // Dead rows of the seeding are not part of the churn.
      await client.query('vacuum (full, analyze)');
      await client.query('select pg_stat_reset()');
      await changeSiteSettings(app, 'system', {
        remotePostRetentionDays: 30,
        remoteEditRetentionDays: 10,
        notificationRetentionDays: 10,
      });
      const month = await Month.begin(app, { active, postsPerDay: Number(values['posts-per-day']) });
      for (let day = 1; day <= Number(values.days); day += 1) {
        await month.runDay();
        process.stderr.write(`day ${day}: ${month.posts} posts\n`);
      }
      const churned = await measureSizes(client);
      await client.query('vacuum full');
      return { churned, fresh: await measureSizes(client) };
    } finally {
      await closeApp(app);
    }
  } finally {
    await client.end();
    await database.close();
  }
}

function renderSection({ churned, fresh }: Sizes): string {
  const freshBytes = new Map(fresh.map(({ name, bytes }) => [name, bytes]));
  const rows = churned
    .filter(({ bytes }) => bytes >= minBytes)
    .map(({ name, bytes, updates, hotUpdates }) => {
      const before = freshBytes.get(name) ?? 0;
      const hot = updates === 0 ? '' : `${Math.round((100 * hotUpdates) / updates)} %`;
      return `| ${name} | ${toKilobytes(bytes)} | ${toKilobytes(before)} | ${(bytes / before).toFixed(2)} | ${hot} |`;
    });
  return [
    '## A month of churn',
    '',
    `${values.days} days of ${values['posts-per-day']} posts each, with replies, boosts, favourites, edits, deletions and the daily schedules, on demo`,
    'data. Notifications and edits are deleted after 10 days, remote posts after 30. Autovacuum is configured as always but looks',
    'once a second, because a day takes seconds. Fresh: after `vacuum full`, which writes',
    `tables and indexes again. Those below ${toKilobytes(minBytes)} KB are left out.`,
    '',
    ...describeRun(`npm run bench -- churn --days ${values.days}`),
    '',
    '| table or index | KB | fresh | times as large | HOT updates |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function toKilobytes(bytes: number): string {
  return Math.round(bytes / 1024).toLocaleString('en');
}
