import type { App } from '../server/platform/app.ts';
import { buildCases } from './cases.ts';
import { measureUsage } from './cpu.ts';
import type { LoadRequest } from './load.ts';
import type { MeasuredServer } from './measure.ts';
import { waitForJobs, type Scene } from './scene.ts';
import { sendLoad } from './send-load.ts';

/** What the memory of the Node process did under a long load. */
export interface SoakResult {
  readonly requests: number;
  /** Bytes after each tenth of the requests. */
  readonly rssBytes: readonly number[];
}

const stepCount = 10;
/** A step ends after so many seconds at the latest. */
const maxStepSeconds = 900;

/** Sends what a day of a busy server is made of, reads of every kind with a post now and then, and watches the memory. */
export async function measureSoak(app: App, server: MeasuredServer, scene: Scene, count: number): Promise<SoakResult> {
  const { origin, connections } = server;
  const requests = buildRequestMix(scene);
  const rss: number[] = [];
  let sent = 0;
  for (let step = 0; step < stepCount; step += 1) {
    const plan = {
      origin,
      connections,
      tokens: scene.readers.map(({ token }) => token),
      requests,
      seconds: maxStepSeconds,
    };
    const result = await sendLoad({ ...plan, count: Math.ceil(count / stepCount) });
    if (result.failures > 0) process.stderr.write(`soak: ${result.failures} requests were not answered with 200\n`);
    await waitForJobs(app);
    sent += result.count;
    rss.push(measureUsage(...server.processIds).rssBytes);
    process.stderr.write(`  ${sent} requests, ${Math.round((rss.at(-1) ?? 0) / 1_000_000)} MB\n`);
  }
  return { requests: sent, rssBytes: rss };
}

/** Each kind of read that every reader may send in its turn; one request in a hundred posts. */
function buildRequestMix(scene: Scene): LoadRequest[] {
  const kinds = buildCases(scene).filter(
    ({ requests: [first], share, users }) => first?.method === 'GET' && share >= 1 && users.length !== 1,
  );
  const post: LoadRequest = {
    method: 'POST',
    path: '/api/v1/statuses',
    body: JSON.stringify({ status: 'One more short post.', visibility: 'unlisted' }),
  };
  return Array.from({ length: 600 }, (_, index) => {
    if (index % 100 === 99) return post;
    const { requests = [] } = kinds[index % kinds.length] ?? {};
    return requests[index % requests.length] ?? post;
  });
}
