import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ClientLoad } from '../../bench/cluster/client-load.ts';
import type { PostgresServer } from '../../bench/cluster/postgres-server.ts';
import { userCreator } from '../../bench/scene.ts';
import { startFieldfare } from '../../server/cli/serve/serve.ts';
import { roles } from '../../server/cli/serve/serve-options.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { DatabaseUnavailable } from '../../server/platform/wire/database-unavailable.ts';
import { openPool, runAlone } from '../../server/platform/wire/pool.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { findFreePort } from '../free-port.ts';
import { startMigratedPostgres } from './migrated-postgres.ts';

const failures = [
  { failure: 'kill -9', fail: (primary: PostgresServer) => primary.kill(), isNoticed: true },
  // Until another server is the primary, it may only be slow.
  { failure: 'silence', fail: async (primary: PostgresServer) => primary.freeze(), isNoticed: false },
];

test.for(failures)(
  'after $failure of the primary, requests get 503 until its synchronous replica is promoted, and no post is lost or doubled',
  async ({ fail, isNoticed }) => {
    await using primary = await startMigratedPostgres();
    await using replica = await primary.startReplica({ isSynchronous: true });
    const port = await findFreePort();
    const dataDir = mkdtempSync(join(tmpdir(), 'ff-failover-'));
    const origin = `http://127.0.0.1:${port}`;
    const config = parseConfig({
      // The replica first: it is asked, and not used.
      DATABASE_URL: primary.url(replica.port, primary.port),
      DATA_DIR: dataDir,
      PORT: String(port),
      BASE_URL: origin,
      RATE_LIMITS: 'off',
      WEB_CLIENT_DIR: 'none',
    });
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const running = await startFieldfare({ config, roles: new Set(roles), log, report: () => {} });
    const { app } = running;
    try {
      const create = await userCreator(app);
      const [alice, bob] = [await create('alice'), await create('bob')];
      await followAccount(app, bob.accountId, alice.accountId);
      // Only the feeds of people who read them are stored.
      const home = { headers: { authorization: `Bearer ${bob.token}` } };
      expect((await fetch(`${origin}/api/v1/timelines/home`, home)).status).toBe(200);
      const load = new ClientLoad({ origin, token: alice.token, connections: 4 });
      const countAnswers = (status: string) => load.answers.filter((answer) => answer.status === status).length;
      const untilPosted = async (more: number): Promise<void> => {
        const wanted = load.acknowledged.length + more;
        await expect.poll(() => load.acknowledged.length).toBeGreaterThanOrEqual(wanted);
      };
      const ready = async () => {
        const response = await fetch(`${origin}/health/ready`);
        return [response.status, await response.text()];
      };
      await untilPosted(20);
      // As behind a pooler that still leads to a server that is a standby now.
      const misled = openPool({ connectionString: replica.url() }, 2);
      const write = () => runAlone(misled, 'begin read write', { text: 'select 1', values: [] });
      const idle = await Promise.all([misled.connect(), misled.connect()]);
      for (const client of idle) client.release();
      await expect(write()).rejects.toThrow(DatabaseUnavailable);
      expect(misled.totalCount).toBe(0);

      await fail(primary);
      if (isNoticed) {
        await expect.poll(() => countAnswers('503')).toBeGreaterThanOrEqual(8);
        await expect.poll(ready).toEqual([503, 'The database does not answer']);
      }
      await replica.promote();
      await untilPosted(20);
      await expect.poll(ready).toEqual([200, 'OK']);
      await load.stop();
      expect((await write()).rowCount).toBe(1);
      await misled.end();

      const statuses = new Set(load.answers.map(({ status }) => status));
      if (isNoticed) expect([...statuses].toSorted()).toEqual(['200', '503']);
      else expect(['200', '503']).toEqual(expect.arrayContaining([...statuses]));
      expect(load.answers.filter(({ status }) => status === '503').every(({ retryAfter }) => retryAfter === '10')).toBe(
        true,
      );
      const texts = await replica.query<{ id: string; text: string }>('select id::text, text from statuses');
      expect(texts.map(({ id }) => id).toSorted()).toEqual(load.acknowledged.toSorted());
      expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
      // The workers go on: every post is in the home feed of the follower.
      const countFeed = async () =>
        (await replica.query(`select 1 from home_feed where account_id = ${bob.accountId}`)).length;
      await expect.poll(countFeed).toBe(load.acknowledged.length);
      const sessions = `select application_name as name from pg_stat_activity
      where application_name in ('fieldfare bus', 'fieldfare leases') order by 1`;
      const listSessions = async () => (await replica.query<{ name: string }>(sessions)).map(({ name }) => name);
      await expect.poll(listSessions).toEqual(['fieldfare bus', 'fieldfare leases']);
      expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level > 40)).toEqual([]);
    } finally {
      // A silent one does not end by itself.
      await primary.kill();
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
