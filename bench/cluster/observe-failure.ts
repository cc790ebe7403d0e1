import { sql } from 'kysely';
import { waitForJobs } from '../scene.ts';
import { ClientLoad } from './client-load.ts';
import type { Cluster, Part } from './cluster.ts';
import { waitFor } from './wait-for.ts';

/** What users saw of a failure. */
export interface Observation {
  /** Number of answers by status, from the kill until all goes on. `none`: the connection broke. */
  readonly reads: ReadonlyMap<string, number>;
  readonly posts: ReadonlyMap<string, number>;
  /** From the kill to the last answer that was an error, in seconds. */
  readonly failingSeconds: number;
  /** The longest time without an answer to a post that was accepted, in seconds. */
  readonly postlessSeconds: number;
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
  const untilPosted = (wanted: number) => waitFor(() => (load.acknowledged.length >= wanted ? true : undefined));
  await untilPosted(postCount);
  const killedAt = Date.now();
  await cluster.fail(part, report);
  await untilPosted(load.acknowledged.length + postCount);
  await load.stop();
  const after = load.answers.filter(({ at }) => at >= killedAt);
  const errors = after.filter(({ status }) => status !== '200');
  const accepted = after.filter(({ status, isRead }) => status === '200' && !isRead).map(({ at }) => at);
  const gaps = accepted.map((at, index) => at - (accepted[index - 1] ?? killedAt));
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
    postlessSeconds: Math.max(...gaps) / 1000,
    acknowledged: load.acknowledged.length,
    stored,
  };
}

function countStatuses(answers: readonly { readonly status: string }[]): Map<string, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return new Map([...groups].map(([status, { length }]) => [status, length] as const).toSorted());
}
