import { generateKeyPairSync } from 'node:crypto';
import { Agent, fetch } from 'undici';
import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { postStatus } from '../../server/statuses/post/index.ts';
import { measureUsage } from '../cpu.ts';
import { preSign } from '../federation/pre-signed.ts';
import type { LoadRequest } from '../load.ts';
import { userCreator, waitForJobs, type BenchmarkUser } from '../scene.ts';
import { sendLoad } from '../send-load.ts';
import type { Cluster } from './cluster.ts';
import { waitFor } from './wait-for.ts';

/** Parts whose CPU is measured, by the beginning of their names in the map of a cluster. */
export const measuredParts = ['HAProxy', 'web', 'streaming', 'worker', 'PgBouncer', 'PostgreSQL', 'Valkey'] as const;
export type MeasuredPart = (typeof measuredParts)[number];

/** What one kind of request cost. */
export interface PartCosts {
  readonly kind: 'home' | 'post' | 'inbox' | 'stream';
  /** Answers in a second, or events that reached clients. */
  readonly perSecond: number;
  /** Milliseconds of CPU for one, stored work included. */
  readonly cpuMs: ReadonlyMap<MeasuredPart, number>;
}

export interface ClusterScene {
  readonly reader: BenchmarkUser;
  readonly author: BenchmarkUser;
  /** Signed activities, each for one request. */
  readonly activities: readonly LoadRequest[];
}

const connections = 16;
const maxSeconds = 60;
const homePosts = 20;

/** Creates a reader with a page of home, an author that they follow, and signed posts of a remote account. */
export async function createClusterScene(cluster: Cluster, activityCount: number): Promise<ClusterScene> {
  return cluster.withApp(async (app) => {
    const create = await userCreator(app);
    const [reader, author] = [await create('reader'), await create('author')];
    await followAccount(app, reader.accountId, author.accountId);
    for (let count = 0; count < homePosts; count += 1)
      await postStatus(app, author.accountId, { text: `Post ${count} of an account that the reader follows` });
    return { reader, author, activities: await signActivities(app, reader, activityCount) };
  });
}

/** Stores a remote account that the reader follows, and signs posts of it. */
async function signActivities(app: App, reader: BenchmarkUser, count: number): Promise<LoadRequest[]> {
  const actor = 'https://far.test/users/eve';
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await transaction(app, ({ db }) =>
    sql`with actor as (
        insert into accounts (id, username, domain, uri, inbox_url, fetched_at, created_at, updated_at)
        values (1000, 'eve', 'far.test', ${actor}, ${`${actor}/inbox`}, now(), now(), now()) returning id),
      stats as (insert into account_stats (account_id) select id from actor),
      keys as (insert into account_keys (account_id, key_id, public_key_pem)
        select id, ${`${actor}#main-key`}, ${pem} from actor)
      insert into follows (id, account_id, target_account_id, created_at)
        select 1001, ${reader.accountId}, id, now() from actor`.execute(db),
  );
  const notes = Array.from({ length: count }, (_, at) => {
    const to = ['https://www.w3.org/ns/activitystreams#Public'];
    const object = { id: `${actor}/${at}`, type: 'Note', attributedTo: actor, content: `Note ${at}`, to };
    const context = 'https://www.w3.org/ns/activitystreams';
    return { '@context': context, id: `${object.id}#create`, type: 'Create', actor, to, object };
  });
  return preSign({ keyOf: () => ({ privateKey }) }, app.config.baseUrl, notes);
}

/** Measures each kind of request once, after some to warm up. */
export async function measureCluster(
  cluster: Cluster,
  scene: ClusterScene,
  { requests, streams }: { readonly requests: number; readonly streams: number },
): Promise<PartCosts[]> {
  const { reader, author, activities } = scene;
  const plan = { origin: cluster.origin, connections, seconds: maxSeconds };
  const send = (kind: PartCosts['kind'], tokens: readonly string[], list: readonly LoadRequest[], count: number) =>
    measureKind(cluster, kind, async () => {
      const { seconds, count: sent, failures } = await sendLoad({ ...plan, tokens, requests: list, count });
      if (failures > 0) throw new Error(`${failures} requests of ${kind} failed`);
      return { count: sent, seconds };
    });
  const home: LoadRequest = { method: 'GET', path: '/api/v1/timelines/home?limit=20' };
  const body = JSON.stringify({ status: 'A short post about nothing in particular.', visibility: 'unlisted' });
  const post: LoadRequest = { method: 'POST', path: '/api/v1/statuses', body };
  await send('home', [reader.token], [home], Math.ceil(requests / 2));
  await send('post', [author.token], [post], Math.ceil(requests / 8));
  return [
    await send('home', [reader.token], [home], requests),
    await send('post', [author.token], [post], Math.ceil(requests / 4)),
    await send('inbox', [], activities, activities.length),
    await measureStreams(cluster, scene, { streams, posts: Math.ceil(requests / 50) }),
  ];
}

async function measureKind(
  cluster: Cluster,
  kind: PartCosts['kind'],
  run: () => Promise<{ count: number; seconds: number }>,
): Promise<PartCosts> {
  const read = () => measuredParts.map((part) => cpuOf(cluster.processIds(part)));
  await cluster.withApp(waitForJobs);
  const before = read();
  const { count, seconds } = await run();
  await cluster.withApp(waitForJobs);
  const after = read();
  const cpuMs = new Map(measuredParts.map((part, at) => [part, ((after[at] ?? 0) - (before[at] ?? 0)) / count]));
  return { kind, perSecond: count / seconds, cpuMs };
}

function cpuOf(processIds: readonly number[]): number {
  const { nodeMs, postgresMs } = measureUsage(...processIds);
  return nodeMs + postgresMs;
}

/** Opens streams of the reader, and measures events until all have the posts of the author. */
async function measureStreams(
  cluster: Cluster,
  { reader, author }: ClusterScene,
  { streams, posts }: { readonly streams: number; readonly posts: number },
): Promise<PartCosts> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const aborted = new AbortController();
  let received = 0;
  const open = async (): Promise<void> => {
    const response = await fetch(`${cluster.origin}/api/v1/streaming/user`, {
      headers: { authorization: `Bearer ${reader.token}` },
      dispatcher,
      signal: aborted.signal,
    });
    if (response.body === null || !response.ok) throw new Error(`a stream was answered with ${response.status}`);
    void countEvents(response.body).catch(() => {});
  };
  const countEvents = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks)
      received +=
        Buffer.from(chunk)
          .toString()
          .match(/^event: update$/gm)?.length ?? 0;
  };
  await Promise.all(Array.from({ length: streams }, open));
  try {
    return await measureKind(cluster, 'stream', async () => {
      const startedAt = performance.now();
      await cluster.withApp(async (app) => {
        for (let count = 0; count < posts; count += 1)
          await postStatus(app, author.accountId, { text: `Streamed post ${count}` });
      });
      await waitFor(() => (received >= streams * posts ? true : undefined));
      return { count: received, seconds: (performance.now() - startedAt) / 1000 };
    });
  } finally {
    aborted.abort();
    await dispatcher.close();
  }
}
