import type { App } from '../server/platform/app.ts';
import type { BenchmarkCase } from './cases.ts';
import { measureUsage } from './cpu.ts';
import type { LoadResult } from './load.ts';
import { waitForJobs } from './scene.ts';
import { sendLoad } from './send-load.ts';

/** What a measurement of one kind of request gave. */
export interface Measurement extends LoadResult {
  readonly name: string;
  readonly targetMs: number | undefined;
  readonly competitor: string;
  /** Milliseconds of CPU a request, stored work that it caused included. */
  readonly nodeMs: number;
  readonly postgresMs: number;
}

export interface MeasuredServer {
  readonly origin: string;
  /** Processes whose trees are measured. */
  readonly processIds: readonly number[];
  readonly connections: number;
}

/** A measurement ends after so many seconds, however many requests it is to send. */
const maxSeconds = 60;
const warmUpCount = 500;

/**
 * Sends a case to the server `count` times, after some to warm up. Each round reacts to other posts: a second favourite
 * of a post would do nothing. The last posts are there to warm up with.
 */
export async function measure(
  app: App,
  server: MeasuredServer,
  { name, users, requests, targetMs, competitor }: BenchmarkCase,
  { count: wanted, round }: { count: number; round: number },
): Promise<Measurement> {
  const { origin, connections } = server;
  const plan = { origin, connections, tokens: users.map(({ token }) => token), seconds: maxSeconds };
  const reacts = requests[0]?.method === 'POST' && requests.length > 1;
  const warm = reacts ? warmUpCount : round > 0 ? warmUpCount : Math.min(10_000, 4 * wanted);
  if (!reacts || round === 0) {
    await sendLoad({ ...plan, requests: reacts ? requests.slice(-warm) : requests, count: warm });
    await waitForJobs(app);
  }
  const measured = reacts ? requests.slice(0, -warm).slice(round * wanted, (round + 1) * wanted) : requests;
  if (measured.length === 0) throw new Error(`${name}: too few posts for so many rounds and requests`);
  const count = reacts ? measured.length : wanted;
  const before = measureUsage(...server.processIds);
  const result = await sendLoad({ ...plan, requests: measured, count });
  await waitForJobs(app);
  const after = measureUsage(...server.processIds);
  if (result.failures > 0) process.stderr.write(`${name}: ${result.failures} requests were not answered with 200\n`);
  return {
    ...result,
    name,
    targetMs,
    competitor,
    nodeMs: (after.nodeMs - before.nodeMs) / result.count,
    postgresMs: (after.postgresMs - before.postgresMs) / result.count,
  };
}
