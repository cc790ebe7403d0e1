import type { App } from '../server/platform/app.ts';
import { casesOf } from './cases.ts';
import { usageOf } from './cpu.ts';
import type { LoadRequest } from './load.ts';
import type { Server } from './measure.ts';
import { settle, type Scene } from './scene.ts';
import { sendLoad } from './send-load.ts';

/** What the memory of the Node process did under a long load. */
export interface Soak {
  readonly requests: number;
  /** Bytes after each tenth of the requests. */
  readonly rss: readonly number[];
}

const steps = 10;
/** A step ends after so many seconds at the latest. */
const longest = 900;

/** Sends what a day of a busy server is made of, reads of every kind with a post now and then, and watches the memory. */
export async function measureSoak(app: App, server: Server, scene: Scene, count: number): Promise<Soak> {
  const { origin, connections } = server;
  const requests = mixOf(scene);
  const rss: number[] = [];
  let sent = 0;
  for (let step = 0; step < steps; step += 1) {
    const plan = { origin, connections, token: scene.reader.token, requests, seconds: longest };
    const result = await sendLoad({ ...plan, count: Math.ceil(count / steps) });
    if (result.failures > 0) process.stderr.write(`soak: ${result.failures} requests were not answered with 200\n`);
    await settle(app);
    sent += result.count;
    rss.push(usageOf(...server.roots).rss);
    process.stderr.write(`  ${sent} requests, ${Math.round((rss.at(-1) ?? 0) / 1_000_000)} MB\n`);
  }
  return { requests: sent, rss };
}

/** Each kind of read in its turn; one request in a hundred posts. */
function mixOf(scene: Scene): LoadRequest[] {
  const kinds = casesOf(scene).filter(({ requests: [first], share }) => first?.method === 'GET' && share >= 1);
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
