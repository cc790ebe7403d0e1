import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { PostgresServer } from '../../bench/cluster/postgres-server.ts';
import { closeApp, createApp, createHttp } from '../../server/app.ts';
import type { App } from '../../server/platform/app.ts';
import { LocalBus } from '../../server/platform/bus/bus.ts';
import { ManualClock } from '../../server/platform/clock.ts';
import { parseConfig } from '../../server/platform/config.ts';
import type { Outgoing } from '../../server/platform/outgoing/outgoing.ts';
import { replicaReads } from '../../server/platform/replicas/metrics.ts';
import type { Replica } from '../../server/platform/replicas/replica.ts';
import { Replicas } from '../../server/platform/replicas/replicas.ts';
import { openPool } from '../../server/platform/wire/pool.ts';
import { maintenanceSettings, withSettings } from '../../server/platform/wire/session-settings.ts';
import { Client } from '../client.ts';
import { TestServer } from '../server.ts';
import { startMigratedPostgres } from './migrated-postgres.ts';

/** Other servers: they accept what is delivered, and answer nothing else. */
const hosts: Outgoing = {
  request: (url, { method } = {}) =>
    method === 'POST'
      ? Promise.resolve({ status: 202, headers: {}, body: Buffer.alloc(0), url })
      : Promise.reject(new Error('no host answers')),
  close: async () => {},
};

/** A server of tests on a primary with a replica, which the test holds back, and the same instance without replicas. */
export class ReplicatedServer implements AsyncDisposable {
  readonly replicaServer: PostgresServer;
  readonly server: TestServer;
  readonly replica: Replica;
  /** A process of the same instance that reads only from the primary. */
  readonly #directHttp: ReturnType<typeof createHttp>;
  readonly #close: () => Promise<void>;

  private constructor(parts: {
    replicaServer: PostgresServer;
    server: TestServer;
    replica: Replica;
    direct: App;
    close: () => Promise<void>;
  }) {
    this.replicaServer = parts.replicaServer;
    this.server = parts.server;
    this.replica = parts.replica;
    this.#directHttp = createHttp(parts.direct);
    this.#close = parts.close;
  }

  static async start(): Promise<ReplicatedServer> {
    const primary = await startMigratedPostgres();
    const directConnection = { connectionString: primary.url() };
    const replicaServer = await primary.startReplica();
    const dataDir = mkdtempSync(join(tmpdir(), 'ff-data-'));
    const config = parseConfig({
      BASE_URL: 'https://fieldfare.test',
      DATA_DIR: dataDir,
      DATABASE_URL: primary.url(),
      DATABASE_REPLICA_URLS: replicaServer.url(),
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      WEB_CLIENT_DIR: 'none',
    });
    const clock = new ManualClock();
    const log = pino({ level: 'silent' });
    const pool = openPool(directConnection, 6);
    // No lag is too long, so that the speed of the machine does not matter.
    const replicas = new Replicas({
      connections: [{ connectionString: replicaServer.url() }],
      pool,
      poolSize: 6,
      isPooled: false,
      log,
      maxLagMs: 3_600_000,
    });
    const [replica] = replicas.all;
    if (replica === undefined) throw new Error('there is no replica');
    const parts = {
      config,
      clock,
      directConnection,
      log,
      // One bus, as between processes.
      bus: new LocalBus(),
      outgoing: hosts,
      resolveMx: async () => [],
      mail: { send: async () => {}, close: async () => {} },
    };
    const app = createApp({ ...parts, pool, replicas });
    const direct = createApp({ ...parts, pool: openPool(directConnection, 6) });
    replicas.start();
    const testPool = new pg.Pool({ ...withSettings(directConnection, maintenanceSettings), max: 2 });
    const server = new TestServer({
      app,
      pool: testPool,
      clock,
      outbox: [],
      failures: [],
      sweep: true,
      stop: async () => {
        await Promise.all([closeApp(app), testPool.end()]);
      },
    });
    const close = async (): Promise<void> => {
      await closeApp(direct);
      await server[Symbol.asyncDispose]();
      await replicaServer[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return new ReplicatedServer({ replicaServer, server, replica, direct, close });
  }

  /** Returns a client of the process without replicas, with the token of another one. */
  directly({ token }: Client): Client {
    return new Client(this.#directHttp, token);
  }

  /** Lets the replica replay everything, and waits until the server knows it. */
  async catchUp(): Promise<void> {
    await this.replicaServer.query('select pg_wal_replay_resume()');
    this.server.app.replicas?.writes.record();
    await this.waitForReplica();
  }

  /** Waits until the server reads from the replica: on a busy machine it may have been left out meanwhile. */
  async waitForReplica(): Promise<void> {
    const { replicas } = this.server.app;
    await expect.poll(() => replicas?.find(replicas.writes.neededBy(undefined))).toBe(this.replica);
  }

  /** Holds the replica back: it replays nothing until `catchUp`. */
  async hold(): Promise<void> {
    await this.replicaServer.query('select pg_wal_replay_pause()');
    await expect
      .poll(() => this.replicaServer.query<{ state: string }>('select pg_get_wal_replay_pause_state() as state'))
      .toEqual([{ state: 'paused' }]);
  }

  /** Returns how many requests the replica answered, or failed to. */
  async countReads(): Promise<number> {
    const samples = await replicaReads.source.collect(this.server.app);
    return samples.find(({ labels }) => labels['database'] === this.replica.name)?.value ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directHttp.close();
    await this.#close();
  }
}
