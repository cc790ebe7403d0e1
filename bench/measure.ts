import type { App } from '../server/platform/app.ts';
import type { Case } from './cases.ts';
import { usageOf } from './cpu.ts';
import type { LoadResult } from './load.ts';
import { settle } from './scene.ts';
import { sendLoad } from './send-load.ts';

/** What a measurement of one kind of request gave. */
export interface Measurement extends LoadResult {
  readonly name: string;
  readonly target: number | undefined;
  readonly rival: string;
  /** Milliseconds of CPU a request, stored work that it caused included. */
  readonly node: number;
  readonly postgres: number;
}

export interface Server {
  readonly origin: string;
  /** Processes whose trees are measured. */
  readonly roots: readonly number[];
  readonly connections: number;
}

/** A measurement ends after so many seconds, however many requests it is to send. */
const longest = 60;
const fewToWarm = 500;

/**
 * Sends a case to the server `count` times, after some to warm up. Each round reacts to other posts: a second favourite
 * of a post would do nothing. The last posts are there to warm up with.
 */
export async function measure(
  app: App,
  server: Server,
  { name, as, requests, target, rival }: Case,
  { count: wanted, round }: { count: number; round: number },
): Promise<Measurement> {
  const { origin, connections } = server;
  const plan = { origin, connections, token: as?.token, seconds: longest };
  const reacts = requests[0]?.method === 'POST' && requests.length > 1;
  const warm = reacts ? fewToWarm : round > 0 ? fewToWarm : Math.min(10_000, 4 * wanted);
  if (!reacts || round === 0) {
    await sendLoad({ ...plan, requests: reacts ? requests.slice(-warm) : requests, count: warm });
    await settle(app);
  }
  const measured = reacts ? requests.slice(0, -warm).slice(round * wanted, (round + 1) * wanted) : requests;
  if (measured.length === 0) throw new Error(`${name}: too few posts for so many rounds and requests`);
  const count = reacts ? measured.length : wanted;
  const before = usageOf(...server.roots);
  const result = await sendLoad({ ...plan, requests: measured, count });
  await settle(app);
  const after = usageOf(...server.roots);
  if (result.failures > 0) process.stderr.write(`${name}: ${result.failures} requests were not answered with 200\n`);
  return {
    ...result,
    name,
    target,
    rival,
    node: (after.node - before.node) / result.count,
    postgres: (after.postgres - before.postgres) / result.count,
  };
}
