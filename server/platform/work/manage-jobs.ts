import { sql, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import type { Transaction } from '../write/transaction.ts';
import type { Page } from '../http/pages.ts';
import type { JobId } from '../ids.ts';

/** `retrying` failed and waits for its next attempt; `exhausted` failed for the last time. */
export const jobStates = ['waiting', 'running', 'retrying', 'exhausted'] as const;
export type JobState = (typeof jobStates)[number];

/** Which jobs; absent: all. `name`: of a job, a reaction or an event. */
export interface JobFilter {
  readonly ids?: readonly JobId[] | undefined;
  readonly queue?: string | undefined;
  readonly name?: string | undefined;
  readonly state?: JobState | undefined;
}

/** A stored job, or an event with reactions. */
export interface ListedJob {
  readonly id: JobId;
  readonly queue: string;
  /** Name of the job, or of the event. */
  readonly name: string;
  /** The reactions to the event that did not run yet. */
  readonly subscribers: readonly string[] | null;
  readonly state: JobState;
  readonly host: string | null;
  readonly attempts: number;
  readonly run_at: Date;
  readonly last_error: string | null;
  readonly data: object;
}

/** Jobs of one queue and state. */
export interface JobCount {
  readonly queue: string;
  readonly state: JobState;
  readonly jobs: number;
  /** When the first of them is due, or was. */
  readonly first_due_at: Date;
}

/** Jobs per transaction. */
export const jobBatchSize = 1_000;

const stateOf = (now: Date): RawBuilder<JobState> => sql<JobState>`case
  when exhausted_at is not null then 'exhausted' when leased_until >= ${now}::timestamptz then 'running'
  when last_error is not null then 'retrying' else 'waiting' end`;

/** A row of an event counts as one job for each reaction. */
const jobsOfRow = sql<number>`coalesce(cardinality(subscribers), 1)`;

/** The index `jobs_failed` finds failed jobs, because only they have an error. */
function matches({ ids, queue, name, state }: JobFilter, now: Date): RawBuilder<boolean> {
  const conditions = [
    ids === undefined ? undefined : sql`id = any(${ids}::bigint[])`,
    queue === undefined ? undefined : sql`queue = ${queue}`,
    name === undefined ? undefined : sql`(name = ${name} or ${name} = any(subscribers))`,
    state === undefined ? undefined : sql`${stateOf(now)} = ${state}`,
    state === 'retrying' || state === 'exhausted' ? sql`last_error is not null` : undefined,
  ].filter((condition) => condition !== undefined);
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`;
}

/** The first page if only a limit is given. */
type JobPage = Pick<Page, 'limit'> & Partial<Page>;

/** Lists a page of jobs, newest first. */
export async function listJobs(app: App, filter: JobFilter, page: JobPage): Promise<ListedJob[]> {
  const now = app.clock.now();
  const { limit, maxId = null, minId, sinceId } = page;
  const above = minId ?? sinceId ?? null;
  const { rows } = await sql<ListedJob>`
    select id, queue, name, subscribers, ${stateOf(now)} as state, host, attempts, run_at, last_error, data from jobs
    where ${matches(filter, now)} and (${maxId}::bigint is null or id < ${maxId}::bigint)
      and (${above}::bigint is null or id > ${above}::bigint)
    order by id ${minId === undefined ? sql`desc` : sql`asc`} limit ${limit}`.execute(app.db);
  return minId === undefined ? rows : rows.toReversed();
}

/** Counts all jobs by queue and state. */
export async function countJobs(app: App): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select queue, state, sum(jobs)::int as jobs, min(run_at) as first_due_at
    from (select queue, run_at, ${jobsOfRow} as jobs, ${stateOf(app.clock.now())} as state from jobs) job
    group by queue, state order by queue, state`.execute(app.db);
  return rows;
}

/** Counts the jobs that `retryJobs` or `deleteJobs` would change. */
export async function countChangeableJobs(app: App, filter: JobFilter, change: 'retry' | 'delete'): Promise<number> {
  const now = app.clock.now();
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from jobs where ${matches(filter, now)} and ${isChangeable(now, change)}`.execute(
    app.db,
  );
  return rows[0]?.jobs ?? 0;
}

/** A running job is left alone. Only failed ones can be retried. */
const isChangeable = (now: Date, change: 'retry' | 'delete'): RawBuilder<boolean> =>
  sql<boolean>`(leased_until is null or leased_until < ${now}::timestamptz)
    and ${change === 'retry' ? sql`last_error is not null` : sql`true`}`;

/**
 * Makes the next batch of failed jobs after `after` due now, with all their attempts. Returns their ids in order, at most
 * `jobBatchSize`. The caller wakes the workers after the commit.
 */
export async function retryJobs(
  { db }: Transaction,
  { clock }: App,
  { after, ...filter }: JobFilter & { readonly after: JobId },
): Promise<JobId[]> {
  const now = clock.now();
  const { rows } = await sql<{ id: JobId }>`
    with chosen as (${chooseBatch(filter, { after, now, change: 'retry' })})
    update jobs set run_at = ${now}, attempts = 0, exhausted_at = null from chosen where jobs.id = chosen.id
    returning jobs.id`.execute(db);
  return sortIds(rows);
}

/**
 * Deletes the next batch of jobs after `after` that are not running. Returns their ids in order, at most `jobBatchSize`. A
 * filter by the name of a reaction leaves the other reactions of an event.
 */
export async function deleteJobs(
  { db }: Transaction,
  { clock }: App,
  { after, ...filter }: JobFilter & { readonly after: JobId },
): Promise<JobId[]> {
  const { name = null } = filter;
  const hasOthers = sql<boolean>`coalesce(${name}::text = any(subscribers) and cardinality(subscribers) > 1, false)`;
  const { rows } = await sql<{ id: JobId }>`
    with chosen as materialized (${chooseBatch(filter, { after, now: clock.now(), change: 'delete' })}),
    reduced as (
      update jobs set subscribers = array_remove(subscribers, ${name}::text) from chosen
      where jobs.id = chosen.id and ${hasOthers} returning jobs.id
    ), deleted as (
      delete from jobs using chosen where jobs.id = chosen.id and not ${hasOthers} returning jobs.id
    )
    select id from reduced union all select id from deleted`.execute(db);
  return sortIds(rows);
}

function chooseBatch(
  filter: JobFilter,
  { after, now, change }: { readonly after: JobId; readonly now: Date; readonly change: 'retry' | 'delete' },
): RawBuilder<unknown> {
  return sql`select id from jobs where ${matches(filter, now)} and ${isChangeable(now, change)} and id > ${after}::bigint
    order by id limit ${jobBatchSize} for update skip locked`;
}

const sortIds = (rows: readonly { readonly id: JobId }[]): JobId[] =>
  rows.map(({ id }) => id).toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
