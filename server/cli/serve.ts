import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { closeApp, createHttp, startWorkers } from '../app.ts';
import type { App } from '../platform/app.ts';
import type { Config } from '../platform/config.ts';
import { resumeIds } from '../platform/database/resume-ids.ts';
import { migrate } from '../platform/database/migrate.ts';
import { limitConnections } from '../platform/file-descriptors.ts';
import { startSchedules } from '../platform/jobs/run-schedules.ts';
import { deleteTemporaryFiles } from '../platform/temporary-files.ts';
import { createOwnerSetupLink } from '../users/index.ts';
import { CliError } from './cli-error.ts';
import { missingMailNotice, nextStepLines } from './next-steps.ts';
import { collectStartupGarbage } from './collect-startup-garbage.ts';
import { openApp, startBus } from './open-app.ts';
import { openServerDatabase } from './open-database.ts';

/** What a process may do: answer requests, keep streams open, do stored work. */
export const roles = ['web', 'streaming', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface ServeOptions {
  readonly config: Config;
  readonly roles: ReadonlySet<Role>;
  readonly log: Logger;
  /** Told what happens, in words for the person who started the server. */
  readonly report: (line: string) => void;
}

export interface RunningFieldfare {
  readonly app: App;
  /** Where it listens; undefined for a process that does stored work only. */
  readonly address: string | undefined;
  /** Resolves with a sentence when it cannot go on. */
  readonly died: Promise<string>;
  /** Answers what was asked, ends the jobs in progress, then closes everything. Safe to call twice. */
  stop(): Promise<void>;
}

const maxDrainMs = 20_000;

/**
 * Starts a server on its settings: database, migrations, requests, stored work. Throws Failure, EmbeddedError or
 * ConfigError when a person has to mend something first; nothing is left running then.
 */
export async function startFieldfare(options: ServeOptions): Promise<RunningFieldfare> {
  const { config, log, report } = options;
  const closers: (() => Promise<void> | void)[] = [];
  const close = once(async () => {
    for (const closer of closers.toReversed()) await closer();
  });
  try {
    const database = await openServerDatabase(config, log, report);
    closers.push(() => database.close());
    const app = await openApp(config, database, log);
    closers.push(() => closeApp(app));
    await migrateWithProgress(app, report);
    await resumeIds(app.pool);
    await startBus(app);
    await deleteTemporaryFiles(app);
    const http = await listen(app, options);
    let stopWork: (() => Promise<void>) | undefined;
    closers.push(async () => void (await Promise.all([http && drainRequests(http, log), stopWork?.()])));
    if (options.roles.has('worker')) stopWork = await startBackgroundJobs(app, log);
    const address = http === undefined ? undefined : listenUrl(http);
    await reportReady(app, address, report);
    collectStartupGarbage();
    return { app, address, died: database.died, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrateWithProgress(app: App, say: (line: string) => void): Promise<void> {
  let told = false;
  await migrate(app.pool, (name) => {
    if (!told) say('Bringing the database up to date');
    told = true;
    app.log.debug({ migration: name }, 'migrating');
  }).catch((error: unknown) => {
    throw new CliError(`The database could not be brought up to date. ${(error as Error).message}`);
  });
}

async function listen(app: App, { config, roles: wanted }: ServeOptions): Promise<FastifyInstance | undefined> {
  if (!wanted.has('web') && !wanted.has('streaming')) return undefined;
  const http = createHttp(app);
  try {
    await http.listen({ host: config.HOST, port: config.PORT });
    limitConnections(app, http.server);
    return http;
  } catch (error) {
    await http.close();
    const place = `${config.HOST}:${config.PORT}`;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new CliError(
        `Port ${config.PORT} of ${config.HOST} is in use by another program. Stop it, or choose another with PORT.`,
      );
    }
    if (code === 'EACCES') throw new CliError(`This user may not listen on ${place}. Choose a PORT from 1024 on.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CliError(`This machine has no address ${config.HOST}. Check HOST.`);
    throw error;
  }
}

/** New connections are refused at once; what was asked is answered, within a bound. */
async function drainRequests(http: FastifyInstance, log: Logger): Promise<void> {
  const late = setTimeout(() => {
    log.warn('some requests did not end in time; their connections are closed');
    http.server.closeAllConnections();
  }, maxDrainMs);
  await http.close();
  clearTimeout(late);
}

async function startBackgroundJobs(app: App, log: Logger): Promise<() => Promise<void>> {
  const stopWorkers = await startWorkers(app);
  const stopSchedules = startSchedules(app);
  return async () => {
    stopSchedules();
    if (!(await stopWorkers(maxDrainMs))) log.warn('some jobs did not end in time; they will run again');
  };
}

function listenUrl(http: FastifyInstance): string {
  const { address, family, port } = http.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function reportReady(app: App, address: string | undefined, say: (line: string) => void): Promise<void> {
  const notice = missingMailNotice(app);
  if (notice !== undefined) say(notice);
  if (address === undefined) {
    say('Fieldfare is doing stored work.');
    return;
  }
  const { baseUrl, PORT } = app.config;
  const own = baseUrl === `http://localhost:${PORT}`;
  say(own ? `Fieldfare is ready at ${baseUrl}` : `Fieldfare is ready: ${baseUrl} (listening on ${address})`);
  for (const line of await nextStepLines(app)) say(line);
  const link = await createOwnerSetupLink(app);
  if (link !== undefined) say(`Nobody owns this server yet. To become its owner, open\n  ${link}`);
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
