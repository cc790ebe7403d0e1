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
/** The last posts of reactions are there to warm up with. */
export const warmUpCount = 500;

/**
 * Sends a case to the server `count` times, after some to warm up. Each round reacts to other posts: a second favourite
 * of a post would do nothing. The last posts are there to warm up with.
 */
export async function measure(
  app: App,
  server: MeasuredServer,
  benchmarkCase: BenchmarkCase,
  { count: wanted, round }: { count: number; round: number },
): Promise<Measurement> {
  const { name, requests, targetMs } = benchmarkCase;
  const plan = planOf(server, benchmarkCase);
  const reacts = isReaction(benchmarkCase);
  const warm = reacts ? warmUpCount : round > 0 ? warmUpCount : Math.min(10_000, 4 * wanted);
  if (!reacts || round === 0) {
    await sendLoad({ ...plan, requests: reacts ? requests.slice(-warm) : requests, count: warm });
    await waitForJobs(app);
  }
  const before = measureUsage(...server.processIds);
  const result = await sendRound(server, benchmarkCase, { count: wanted, round });
  await waitForJobs(app);
  const after = measureUsage(...server.processIds);
  if (result.failures > 0) process.stderr.write(`${name}: ${result.failures} requests were not answered with 200\n`);
  return {
    ...result,
    name,
    targetMs,
    nodeMs: (after.nodeMs - before.nodeMs) / result.count,
    postgresMs: (after.postgresMs - before.postgresMs) / result.count,
  };
}

/** Sends the requests of a round without warming up. */
export function sendRound(
  server: MeasuredServer,
  benchmarkCase: BenchmarkCase,
  { count, round }: { readonly count: number; readonly round: number },
): Promise<LoadResult> {
  const { name, requests } = benchmarkCase;
  const plan = planOf(server, benchmarkCase);
  if (!isReaction(benchmarkCase)) return sendLoad({ ...plan, requests, count });
  const posts = requests.slice(0, -warmUpCount).slice(round * count, (round + 1) * count);
  if (posts.length === 0) throw new Error(`${name}: too few posts for so many rounds and requests`);
  return sendLoad({ ...plan, requests: posts, count: posts.length });
}

/** Whether each request is about another post. */
const isReaction = ({ requests }: BenchmarkCase): boolean => requests[0]?.method === 'POST' && requests.length > 1;

const planOf = ({ origin, connections }: MeasuredServer, { users, connections: own }: BenchmarkCase) => ({
  origin,
  connections: own ?? connections,
  tokens: users.map(({ token }) => token),
  seconds: maxSeconds,
});
