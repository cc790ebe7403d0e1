import { sql } from 'kysely';
import { waitForJobs } from '../scene.ts';
import { ClientLoad } from './client-load.ts';
import type { Cluster, Part } from './cluster.ts';
import { StreamWatch } from './stream-watch.ts';
import { waitFor } from './wait-for.ts';

/** What users saw of a failure. */
export interface Observation {
  /** Number of answers by status, from the kill until all goes on. `none: …`: the connection broke. */
  readonly reads: ReadonlyMap<string, number>;
  readonly posts: ReadonlyMap<string, number>;
  /** From the kill to the last answer that was an error, in seconds. */
  readonly failingSeconds: number;
  /** The longest time without an answer to a post that was accepted, in seconds. */
  readonly postlessSeconds: number;
  /** The longest time without an event on the stream of a user who posts, in seconds. */
  readonly eventlessSeconds: number;
  /** Posts that were acknowledged during the whole load, and those of them that exist once. */
  readonly acknowledged: number;
  readonly stored: number;
}

const connections = 4;
const pauseMs = 25;
/** Posts before the failure, and after it. */
const postCount = 10;

/** Lets a part of a cluster fail while a few apps read and post, until everything goes on. */
export async function observeFailure(
  cluster: Cluster,
  part: Part,
  { token, report }: { readonly token: string; readonly report?: (step: string) => void },
): Promise<Observation> {
  const load = new ClientLoad({ origin: cluster.origin, token, connections, pauseMs });
  const stream = new StreamWatch(cluster.origin, token);
  const untilPosted = (wanted: number) => waitFor(() => (load.acknowledged.length >= wanted ? true : undefined));
  await untilPosted(postCount);
  await waitFor(() => (stream.events.length > 0 ? true : undefined));
  const killedAt = Date.now();
  await cluster.fail(part, report);
  await untilPosted(load.acknowledged.length + postCount);
  const recoveredAt = Date.now();
  await waitFor(() => (stream.events.some((at) => at >= recoveredAt) ? true : undefined));
  await load.stop();
  stream.stop();
  const after = load.answers.filter(({ at }) => at >= killedAt);
  const errors = after.filter(({ status }) => status !== '200');
  const accepted = after.filter(({ status, isRead }) => status === '200' && !isRead).map(({ at }) => at);
  const events = stream.events.filter((at) => at >= killedAt);
  const stored = await cluster.withApp(async (app) => {
    await waitForJobs(app);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from statuses where text in (select text from statuses where id = any(${load.acknowledged}::bigint[]))
      group by text having count(*) = 1) as once`.execute(app.db);
    return rows[0]?.count ?? 0;
  });
  return {
    reads: countStatuses(after.filter(({ isRead }) => isRead)),
    posts: countStatuses(after.filter(({ isRead }) => !isRead)),
    failingSeconds: Math.max(0, ...errors.map(({ at }) => at - killedAt)) / 1000,
    postlessSeconds: maxGap(killedAt, accepted) / 1000,
    eventlessSeconds: maxGap(killedAt, events) / 1000,
    acknowledged: load.acknowledged.length,
    stored,
  };
}

const maxGap = (start: number, times: readonly number[]): number =>
  Math.max(...times.map((at, index) => at - (times[index - 1] ?? start)));

function countStatuses(answers: readonly { readonly status: string }[]): Map<string, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return new Map([...groups].map(([status, { length }]) => [status, length] as const).toSorted());
}
