// Sends requests and measures how long they take. Runs in a separate process, which receives plans and returns results.
import { Pool } from 'undici';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** In addition to the token and the content type. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadPlan {
  readonly origin: string;
  /** Each request takes the next one; none: anonymous requests. */
  readonly tokens: readonly string[];
  /** Sent in this order, again from the beginning when they are used up. */
  readonly requests: readonly LoadRequest[];
  readonly count: number;
  readonly connections: number;
  /** Nothing is sent after so many seconds. */
  readonly seconds: number;
}

export interface LoadResult {
  readonly count: number;
  /** Answers that were not 200 or 202. */
  readonly failures: number;
  /** When the first request was sent, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Bytes of the last answer's body. */
  readonly bytes: number;
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const pool = new Pool(plan.origin, { connections: plan.connections, pipelining: 1 });
  const times: number[] = [];
  let [next, failures, bytes] = [0, 0, 0];
  const startedAt = Date.now();
  const began = performance.now();
  const end = began + plan.seconds * 1000;
  const send = async (): Promise<void> => {
    while (next < plan.count && performance.now() < end) {
      const request = plan.requests[next % plan.requests.length];
      const token = plan.tokens[next % plan.tokens.length];
      next += 1;
      if (request === undefined) return;
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        // Some servers refuse requests that do not say who sends them.
        'user-agent': 'fieldfare-bench',
        ...request.headers,
      };
      const sent = performance.now();
      const { path, method, body = null } = request;
      const answer = await pool.request({ path, method, headers, body });
      bytes = (await answer.body.arrayBuffer()).byteLength;
      times.push(performance.now() - sent);
      if (answer.statusCode !== 200 && answer.statusCode !== 202) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: plan.connections }, send));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, failures, startedAt, seconds, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), bytes };
}

process.on('message', (plan: LoadPlan) => {
  void run(plan).then((result) => process.send?.(result));
});
