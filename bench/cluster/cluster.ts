import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPooler, findProgram } from '../../bin/test-programs.mjs';
import { withApp } from '../../server/cli/open/open-app.ts';
import type { App } from '../../server/platform/app.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import { checkValkey } from '../../server/platform/valkey.ts';
import { findFreePort } from '../../test/free-port.ts';
import { LoadBalancer } from './load-balancer.ts';
import { Pooler } from './pooler.ts';
import { PostgresServer } from './postgres-server.ts';
import { Program } from './program.ts';
import { waitFor } from './wait-for.ts';

/** What `Cluster.fail` may kill. */
export const parts = ['web', 'streaming', 'worker', 'replica', 'primary', 'valkey', 'pooler'] as const;
export type Part = (typeof parts)[number];

export interface ClusterOptions {
  /** An empty folder for all files. */
  readonly folder: string;
  /** Where HAProxy listens. Default: any. */
  readonly port?: number | undefined;
  /** Number of web processes. Default: 2. */
  readonly web?: number;
  /** Number of replicas, the first of which is synchronous. Default: 1. */
  readonly replicas?: number;
  /** Until something is done about a part that was killed. Default: a second. */
  readonly noticeMs?: number;
  /** The files of the primary, as `PostgresServer.start` copies them. Default: an empty database. */
  readonly template?: string;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

const program = join(import.meta.dirname, '..', '..', 'bin', 'fieldfare.mjs');
const s3Program = join(import.meta.dirname, 's3-server.ts');
const bucket = 'media';
/** The queues of the first worker; the second has all others. */
const firstQueues = 'default,feeds';
/** What a supervisor of processes takes to notice that one ended, and whoever promotes replicas, that one must be. */
const defaultNoticeMs = 1_000;

/** Returns the names of programs that a cluster needs and that are missing. */
export function findMissingPrograms(): string[] {
  const missing = ['haproxy', 'openssl'].filter((name) => findProgram(name) === undefined);
  if (findValkey() === undefined) missing.push('valkey-server or redis-server');
  if (findPooler() === undefined) missing.push('pgbouncer, 1.21 or newer');
  return missing;
}

const findValkey = (): string | undefined => findProgram('valkey-server') ?? findProgram('redis-server');

/** A line of the map: what runs where. */
export interface ClusterLine {
  readonly name: string;
  readonly port: number | undefined;
  readonly program: Program;
}

/**
 * A server of many processes on one machine, as on many: HAProxy, processes for each role, a pooler in front of each
 * PostgreSQL, a primary with replicas, Valkey and an S3 server; with the files in deploy/.
 */
export class Cluster implements AsyncDisposable {
  readonly origin: string;
  readonly #parts = new AsyncDisposableStack();
  readonly #lines: ClusterLine[] = [];
  readonly #noticeMs: number;
  #env: Readonly<Record<string, string>> = {};
  #databases: readonly PostgresServer[] = [];
  #primary: PostgresServer | undefined;
  #replica: PostgresServer | undefined;

  private constructor(port: number, noticeMs: number) {
    this.#noticeMs = noticeMs;
    this.origin = `https://localhost:${port}`;
  }

  /** Starts all processes. `report` receives a line before each step. */
  static async start(options: ClusterOptions, report: (step: string) => void = () => {}): Promise<Cluster> {
    const port = options.port ?? (await findFreePort());
    const cluster = new Cluster(port, options.noticeMs ?? defaultNoticeMs);
    try {
      await cluster.#startServices(options, report);
      await cluster.#startServers(options, port, report);
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The process ids of a kind of part: `web`, `PgBouncer` and so on. */
  processIds(name: string): number[] {
    return this.#lines.filter((line) => line.name.startsWith(name)).map((line) => line.program.processId);
  }

  /** What runs where. */
  get lines(): readonly ClusterLine[] {
    return this.#lines;
  }

  /** The PostgreSQL servers, the first primary first. */
  get databases(): readonly PostgresServer[] {
    return this.#databases;
  }

  /** The server that accepts writes. */
  get primary(): PostgresServer {
    if (this.#primary === undefined) throw new Error('there is no primary');
    return this.#primary;
  }

  /** Runs `work` with an App of this process on the database. */
  withApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
    return withApp(parseConfig(this.#env), createLog({ level: 'error' }), work);
  }

  /** Kills a part by SIGKILL, does what operators have a program for, and calls `report` before each step. */
  async fail(part: Part, report: (step: string) => void = () => {}): Promise<void> {
    report(`kill -9: ${part}`);
    if (part === 'primary' || part === 'replica') return this.#failDatabase(part, report);
    const pooler = `PgBouncer ${this.#databases.indexOf(this.primary) + 1}`;
    const names = { web: 'web 1', streaming: 'streaming', worker: 'worker 1', valkey: 'Valkey', pooler };
    const line = this.#lines.find(({ name }) => name.startsWith(names[part]));
    if (line === undefined) throw new Error(`there is no ${part}`);
    await line.program.kill();
    await pause(this.#noticeMs);
    report(`start it again, as a supervisor does`);
    await line.program.restart();
  }

  async #failDatabase(part: 'primary' | 'replica', report: (step: string) => void): Promise<void> {
    const replica = this.#replica;
    if (replica === undefined) throw new Error('there is no replica');
    const { primary } = this;
    if (part === 'replica') {
      await replica.kill();
      await pause(this.#noticeMs);
      report('let the primary no longer wait for it, as Patroni does');
      await primary.acceptWithoutReplica();
      report('start it again; the primary waits for it once it streams');
      await replica.restart();
      return primary.acceptReplica({ isSynchronous: true });
    }
    await primary.kill();
    await pause(this.#noticeMs);
    report('promote the replica, as Patroni does');
    await replica.promote();
    [this.#primary, this.#replica] = [replica, primary];
    report('make the old primary a replica of the new one, as Patroni does');
    await primary.becomeReplicaOf(replica);
  }

  async #startServices(
    { folder, replicas = 1, settings = {}, template }: ClusterOptions,
    report: (step: string) => void,
  ): Promise<void> {
    report('PostgreSQL: a primary and its replicas');
    // As root, programs that run as other users have folders in it.
    chmodSync(folder, 0o711);
    const primary = this.#parts.use(await PostgresServer.start({ template, parent: folder }));
    this.#primary = primary;
    const databases = [primary];
    while (databases.length <= replicas)
      databases.push(this.#parts.use(await primary.startReplica({ isSynchronous: databases.length === 1 })));
    this.#databases = databases;
    this.#replica = databases[1];
    report('a PgBouncer for each, Valkey, an S3 server');
    const poolers = await Promise.all(
      databases.map(async ({ port }) => this.#parts.use(await Pooler.start(port, { parent: folder }))),
    );
    for (const [at, { port, program: server }] of databases.entries())
      this.#lines.push({ name: at === 0 ? 'PostgreSQL, primary' : `PostgreSQL, replica ${at}`, port, program: server });
    for (const [at, pooler] of poolers.entries())
      this.#lines.push({ name: `PgBouncer ${at + 1}`, port: pooler.port, program: pooler.program });
    const [valkey, s3] = [await this.#startValkey(folder), await this.#startS3(folder)];
    const [, ...replicaPorts] = poolers.map(({ port }) => port);
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: primary.url(...poolers.map(({ port }) => port)),
      DATABASE_DIRECT_URL: primary.url(...databases.map(({ port }) => port)),
      ...(replicaPorts.length > 0 && {
        DATABASE_REPLICA_URLS: replicaPorts.map((port) => primary.url(port)).join(','),
      }),
      VALKEY_URL: `redis://127.0.0.1:${valkey}`,
      S3_ENDPOINT: `http://127.0.0.1:${s3}`,
      S3_BUCKET: bucket,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      BASE_URL: this.origin,
      DATA_DIR: join(folder, 'data'),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...settings,
    };
  }

  async #startValkey(folder: string): Promise<number> {
    const port = await findFreePort();
    await this.#start('Valkey', port, {
      command: findValkey() ?? 'valkey-server',
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      isReady: async () => (await checkValkey(`redis://127.0.0.1:${port}`)) !== '',
    });
    return port;
  }

  async #startS3(folder: string): Promise<number> {
    const port = await findFreePort();
    const files = join(folder, 's3');
    mkdirSync(files);
    await this.#start('S3 server', port, {
      command: process.execPath,
      args: [s3Program, String(port), files, bucket],
      isReady: async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0,
    });
    return port;
  }

  async #startServers(
    { folder, web = 2 }: ClusterOptions,
    port: number,
    report: (step: string) => void,
  ): Promise<void> {
    report(`${web} web processes, a streaming process, two workers`);
    // The first one migrates the database.
    const webPorts = [await this.#startServer('web 1', ['--roles', 'web'])];
    const others = [
      ...Array.from({ length: web - 1 }, (_, at) => [`web ${at + 2}`, ['--roles', 'web']] as const),
      ['streaming', ['--roles', 'streaming']],
      ['worker 1', ['--roles', 'worker', '--queues', firstQueues]],
      ['worker 2', ['--roles', 'worker', '--except', firstQueues]],
    ] as const;
    const ports = await Promise.all(others.map(([name, args]) => this.#startServer(name, args)));
    webPorts.push(...ports.slice(0, web - 1));
    report('HAProxy');
    const upstreams = { web: webPorts, streaming: ports.slice(web - 1, web) };
    const balancer = this.#parts.use(await LoadBalancer.start(port, upstreams, folder));
    this.#lines.unshift({ name: 'HAProxy', port, program: balancer.program });
    await waitFor(() => fetch(`http://127.0.0.1:${webPorts[0]}/health/ready`).then(({ ok }) => ok || undefined));
  }

  /** Starts a process of the server. Returns its port; that of a worker serves its metrics. */
  async #startServer(name: string, args: readonly string[]): Promise<number> {
    const port = await findFreePort();
    const isWorker = name.startsWith('worker');
    const path = isWorker ? '/metrics' : '/health';
    const label = isWorker ? `${name} (${args.slice(2).join(' ')})` : name;
    await this.#start(label, port, {
      command: process.execPath,
      args: [program, 'serve', ...args],
      env: { ...this.#env, [isWorker ? 'METRICS_PORT' : 'PORT']: String(port) },
      isReady: async () => (await fetch(`http://127.0.0.1:${port}${path}`)).ok,
    });
    return port;
  }

  async #start(name: string, port: number, options: Parameters<typeof Program.start>[0]): Promise<void> {
    this.#lines.push({ name, port, program: this.#parts.use(await Program.start(options)) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}
