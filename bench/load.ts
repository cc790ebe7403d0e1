// Sends requests and measures how long they take. Runs in a separate process, which receives plans and returns results.
import { setTimeout as pause } from 'node:timers/promises';
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
  /** Requests are sent at this rate, as long as connections are free. Default: as fast as they are answered. */
  readonly perSecond?: number;
}

/** A request of a load with a rate. */
export interface LoadSample {
  /** When it was due, in milliseconds since the epoch. */
  readonly at: number;
  /** Until its answer. */
  readonly ms: number;
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
  /** None without a rate. */
  readonly samples: readonly LoadSample[];
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const pool = new Pool(plan.origin, { connections: plan.connections, pipelining: 1 });
  const times: number[] = [];
  const samples: LoadSample[] = [];
  let [next, failures, bytes] = [0, 0, 0];
  const startedAt = Date.now();
  const began = performance.now();
  const end = began + plan.seconds * 1000;
  const send = async (): Promise<void> => {
    while (next < plan.count && performance.now() < end) {
      const request = plan.requests[next % plan.requests.length];
      const token = plan.tokens[next % plan.tokens.length];
      const due = plan.perSecond === undefined ? undefined : began + (next / plan.perSecond) * 1000;
      next += 1;
      if (request === undefined) return;
      if (due !== undefined) await pause(Math.max(0, due - performance.now()));
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
      if (due !== undefined) samples.push({ at: startedAt + due - began, ms: performance.now() - due });
      if (answer.statusCode !== 200 && answer.statusCode !== 202) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: plan.connections }, send));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const [p50Ms, p95Ms, p99Ms] = [at(0.5), at(0.95), at(0.99)];
  return { count: times.length, failures, startedAt, seconds, p50Ms, p95Ms, p99Ms, bytes, samples };
}

process.on('message', (plan: LoadPlan) => {
  void run(plan).then((result) => process.send?.(result));
});
