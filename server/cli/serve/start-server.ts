import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { closeApp, createHttp, metricSources, schedules, startWorkers, workerQueues, workers } from '../../app.ts';
import type { App } from '../../platform/app.ts';
import type { Config } from '../../platform/config.ts';
import { resumeIds } from '../../platform/database/resume-ids.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { leaseHolder } from '../../platform/work/lease-holder.ts';
import { limitConnections } from '../../platform/files/file-descriptors.ts';
import { startSchedules } from '../../platform/work/run-schedules.ts';
import { deleteTemporaryFiles } from '../../platform/files/temporary-files.ts';
import { hasMetrics, startMetrics } from '../../platform/metrics/collector.ts';
import { serveMetrics } from '../../platform/metrics/serve-metrics.ts';
import { valkeyWatch } from '../../platform/valkey-watch.ts';
import { createOwnerSetupLink } from '../../users/sign-up/index.ts';
import { CliError } from '../cli-error.ts';
import { missingMailNotice, nextStepLines } from './next-steps.ts';
import { openAppWithReplicas, openTracedApp, startBus } from '../open/open-app.ts';
import type { OpenDatabase } from '../open/open-database.ts';
import type { RunningFieldfare, ServeOptions } from './serve-options.ts';
import { toError } from '../../platform/errors.ts';
import { blockedByOthers, describeWaiting } from '../describe-waiting.ts';

/** Maximum time for open requests and jobs after the signal to stop. */
export const maxDrainMs = 20_000;

/**
 * Starts a server on an open database: migrations, requests, jobs. Throws CliError or ConfigError for problems that a
 * person must fix; then nothing is left running and the database is closed.
 */
export async function startServer(options: ServeOptions, database: OpenDatabase): Promise<RunningFieldfare> {
  const { config, log, report } = options;
  const closers: (() => Promise<void> | void)[] = [() => database.close()];
  const close = once(async () => {
    for (const closer of closers.toReversed()) await closer();
  });
  try {
    const queues = chooseQueues(options);
    const app = await (options.roles.has('web') ? openAppWithReplicas : openTracedApp)(config, database, log);
    closers.push(() => closeApp(app));
    await migrateWithProgress(app, report);
    await resumeIds(app.pool);
    await startBus(app);
    app.replicas?.start();
    await deleteTemporaryFiles(app);
    closers.push(valkeyWatch(app).start());
    if (hasMetrics(app)) closers.push(await measure(app, config));
    const holder = leaseHolder(app);
    closers.push(() => holder.stop());
    // Contract migrations wait for every process, also for those that work on no queue.
    await holder.start(workers, options.roles.has('worker') ? queues : []);
    const http = await listen(app, options);
    let stopWork: (() => Promise<void>) | undefined;
    closers.push(async () => void (await Promise.all([http && drainRequests(http, log), stopWork?.()])));
    if (options.roles.has('worker')) stopWork = await startBackgroundJobs(app, queues);
    const address = http === undefined ? undefined : listenUrl(http);
    await reportReady(app, address, report);
    return { app, address, died: Promise.race([database.died, holder.outdated]), stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the queues of this process; undefined: all. Throws CliError for unknown ones, and if there are none. */
function chooseQueues({ queues: choice }: ServeOptions): readonly string[] | undefined {
  if (choice === undefined) return undefined;
  const named = 'only' in choice ? choice.only : choice.except;
  const unknown = named.filter((name) => !workerQueues.includes(name));
  if (unknown.length > 0)
    throw new CliError(`Unknown queue: ${unknown.join(', ')}. Known ones: ${workerQueues.join(', ')}.`);
  const chosen = workerQueues.filter((name) => named.includes(name) === 'only' in choice);
  if (chosen.length === 0) throw new CliError(`No queue is left for this worker. Queues: ${workerQueues.join(', ')}.`);
  return chosen;
}

async function migrateWithProgress(app: App, say: (line: string) => void): Promise<void> {
  let isReported = false;
  const onProgress = (name: string): void => {
    if (!isReported) say('Migrating the database');
    isReported = true;
    app.log.debug({ migration: name }, 'migrating');
  };
  const onBlocked = (): void => say(blockedByOthers);
  const { waiting } = await migrate(app.directConnection, { onProgress, onBlocked }).catch((error: unknown) => {
    throw new CliError(`The database could not be migrated. ${toError(error).message}`);
  });
  if (waiting.length > 0) say(describeWaiting(waiting));
}

/** Starts to measure, and serves the metrics if they have a port. Returns a function that closes it. */
async function measure(app: App, { HOST: host, METRICS_PORT: port }: Config): Promise<() => Promise<void>> {
  await startMetrics(app, metricSources);
  if (port === undefined) return async () => {};
  const server = await serveMetrics(app, { host, port }).catch((error: unknown) => {
    throw listenError(error, { host, port, setting: 'METRICS_PORT' });
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

async function listen(app: App, { config, roles }: ServeOptions): Promise<FastifyInstance | undefined> {
  if (!roles.has('web') && !roles.has('streaming')) return undefined;
  const http = createHttp(app, undefined, { web: roles.has('web'), streaming: roles.has('streaming') });
  try {
    await http.listen({ host: config.HOST, port: config.PORT });
    limitConnections(app, http.server);
    return http;
  } catch (error) {
    await http.close();
    throw listenError(error, { host: config.HOST, port: config.PORT, setting: 'PORT' });
  }
}

/** Returns a failure to listen as a problem that a person can fix, if it is one. */
function listenError(
  error: unknown,
  { host, port, setting }: { host: string; port: number; setting: string },
): unknown {
  const { code } = toError(error);
  if (code === 'EADDRINUSE')
    return new CliError(`Port ${port} of ${host} is used by another program. Stop it, or choose another ${setting}.`);
  if (code === 'EACCES')
    return new CliError(
      `This user has no permission to listen on ${host}:${port}. Choose a ${setting} of at least 1024.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CliError(`This machine has no address ${host}. Check HOST.`);
  return error;
}

/** Refuses new connections and finishes open requests, for at most `maxDrainMs`. */
async function drainRequests(http: FastifyInstance, log: Logger): Promise<void> {
  const late = setTimeout(() => {
    log.warn('some requests did not finish in time; closing their connections');
    http.server.closeAllConnections();
  }, maxDrainMs);
  await http.close();
  clearTimeout(late);
}

async function startBackgroundJobs(app: App, queues: readonly string[] | undefined): Promise<() => Promise<void>> {
  const stopWorkers = await startWorkers(app, queues);
  const stopSchedules = startSchedules(app, schedules);
  return async () => {
    stopSchedules();
    if (!(await stopWorkers(maxDrainMs))) app.log.warn('some jobs did not finish in time; they will run again');
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
    say('Fieldfare is running jobs.');
    return;
  }
  const { baseUrl, PORT } = app.config;
  const own = baseUrl === `http://localhost:${PORT}`;
  say(own ? `Fieldfare is ready at ${baseUrl}` : `Fieldfare is ready: ${baseUrl} (listening on ${address})`);
  for (const line of await nextStepLines(app)) say(line);
  const link = await createOwnerSetupLink(app);
  if (link !== undefined) say(`This server has no owner yet. To become its owner, open\n  ${link}`);
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
