import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { measureUsage } from '../cpu.ts';
import { measureTurns } from '../measure-turns.ts';
import type { Network } from '../federation/network.ts';
import type { LoadPlan, LoadSample } from '../load.ts';
import { sendLoad } from '../send-load.ts';

/** What other users do meanwhile: reads of home and posts, at a rate that leaves most of the machine idle. */
export interface OtherUsers {
  readonly origin: string;
  readonly tokens: readonly string[];
  readonly homesPerSecond: number;
  readonly postsPerSecond: number;
  /** In all; the fan-out begins after `quietSeconds`. */
  readonly seconds: number;
  readonly quietSeconds: number;
}

/** What starts a fan-out. Returns how long its request took. */
export type FanOut = () => Promise<number>;

/** A fan-out and its end: `expected` deliveries, or what `isOver` says. */
export interface FanOutStart {
  readonly start: FanOut;
  readonly expected: number;
  readonly isOver?: () => boolean;
}

/** What one fan-out showed. */
export interface FanOutResult {
  readonly requestMs: number;
  /** From the request to the first delivery, and to the last. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly received: number;
  /** Milliseconds of all requests of others, before and during the fan-out. */
  readonly homeBefore: readonly number[];
  readonly homeDuring: readonly number[];
  readonly postBefore: readonly number[];
  readonly postDuring: readonly number[];
  /** Milliseconds of CPU: 95 % of the time of the event loop was in turns of at most this, before and meanwhile. */
  readonly turnBefore: number;
  readonly turnDuring: number;
  /** Share of the CPU of the event loop that garbage collection took. */
  readonly gcBefore: number;
  readonly gcDuring: number;
  /** CPU of the server in addition to that of the time before, from the request to the last delivery. */
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** CPU of the hosts, as a share of the machine. */
  readonly hostsShare: number;
  /** Growth of the server. */
  readonly memoryBytes: number;
  /** Deliveries that were stored at the same time. */
  readonly rows: number;
}

/** The server, and the hosts that it sends to. */
export interface MeasuredFanOut {
  readonly app: App;
  readonly network: Network;
  readonly server: number;
  /** As of `measureTurns`. */
  readonly eventLoopFile: string;
}

const warmUpMs = 1_000;
const pollMs = 100;

/** Reads and posts as the other users do, unmeasured. */
export async function warmUp(others: OtherUsers): Promise<void> {
  await Promise.all(plansOf(others).map(sendLoad));
}

/** Starts a fan-out while other users read and post, and waits for the end of both. */
export async function measureFanOut(
  { app, network, server, eventLoopFile }: MeasuredFanOut,
  others: OtherUsers,
  { start, expected, isOver }: FanOutStart,
): Promise<FanOutResult> {
  await network.command('disconnect');
  await pause(200);
  await network.command('reset');
  const began = Date.now();
  const load = Promise.all(plansOf(others).map(sendLoad));
  await pause(warmUpMs);
  const quiet = measureUsage(server);
  const turnsBefore = await measureTurns(server, eventLoopFile);
  await pause(others.quietSeconds * 1_000 - warmUpMs);
  const before = await turnsBefore.end();
  const turns = await measureTurns(server, eventLoopFile);
  const [usageBefore, hostsBefore] = [measureUsage(server), measureUsage(network.id)];
  const startedAt = Date.now();
  const requestMs = await start();
  const hasArrived = async (): Promise<boolean> => (await network.command('counts')).received >= expected;
  const { rows, rssBytes } = await watch(app, server, {
    isOver: isOver ?? hasArrived,
    end: began + others.seconds * 1_000,
  });
  const during = await turns.end();
  const [after, hostsAfter] = [measureUsage(server), measureUsage(network.id)];
  const ended = Date.now();
  const counts = await network.command('counts');
  const { received } = counts;
  const [firstAt, lastAt] = received === 0 ? [ended, ended] : [counts.firstAt, counts.lastAt];
  const quietFrom = began + warmUpMs;
  const [home, post] = await load;
  const hostsMs = hostsAfter.nodeMs - hostsBefore.nodeMs;
  const share = (ended - startedAt) / (startedAt - quietFrom);
  const added = (name: 'nodeMs' | 'postgresMs'): number =>
    after[name] - usageBefore[name] - (usageBefore[name] - quiet[name]) * share;
  const msOf = (samples: readonly LoadSample[] = [], from: number, to: number): number[] =>
    samples.filter(({ at, ms }) => at + ms >= from && at <= to).map(({ ms }) => ms);
  return {
    requestMs,
    firstMs: firstAt - startedAt,
    lastMs: lastAt - startedAt,
    received,
    homeBefore: msOf(home?.samples, quietFrom, startedAt),
    homeDuring: msOf(home?.samples, startedAt, lastAt),
    postBefore: msOf(post?.samples, quietFrom, startedAt),
    postDuring: msOf(post?.samples, startedAt, lastAt),
    turnBefore: before.p95Ms,
    turnDuring: during.p95Ms,
    gcBefore: before.gcMs / before.cpuMs,
    gcDuring: during.gcMs / during.cpuMs,
    nodeMs: added('nodeMs'),
    postgresMs: added('postgresMs'),
    hostsShare: hostsMs / (ended - startedAt) / availableParallelism(),
    memoryBytes: rssBytes - usageBefore.rssBytes,
    rows,
  };
}

function plansOf({ origin, tokens, homesPerSecond, postsPerSecond, seconds }: OtherUsers): LoadPlan[] {
  const plan = { origin, tokens, connections: 16, seconds };
  const body = JSON.stringify({ status: 'The swifts are late this year.', language: 'en' });
  const home = { method: 'GET', path: '/api/v1/timelines/home?limit=20' } as const;
  const post = { method: 'POST', path: '/api/v1/statuses', body } as const;
  return [
    { ...plan, requests: [home], perSecond: homesPerSecond, count: homesPerSecond * seconds },
    { ...plan, requests: [post], perSecond: postsPerSecond, count: postsPerSecond * seconds },
  ];
}

/** Waits until the fan-out is over, or the load ended. Returns the most rows and memory on the way. */
async function watch(
  app: App,
  server: number,
  { isOver, end }: { readonly isOver: () => boolean | Promise<boolean>; readonly end: number },
): Promise<{ rows: number; rssBytes: number }> {
  let [rows, rssBytes] = [0, 0];
  while (Date.now() < end && !(await isOver())) {
    const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count from deliveries
      where host like '%.peers.test:%'`.execute(app.db);
    rows = Math.max(rows, counted[0]?.count ?? 0);
    rssBytes = Math.max(rssBytes, measureUsage(server).rssBytes);
    await pause(pollMs);
  }
  return { rows, rssBytes };
}
