import { sql } from 'kysely';
import { queryWithTimeout } from '../database/query-with-timeout.ts';
import { jobResults } from '../work/job-results.ts';
import { replicaLag, replicaReads } from '../replicas/metrics.ts';
import { availableServices } from '../valkey-watch.ts';
import { singleSample, type MetricSource, type Sample } from './metric-source.ts';

/** Collecting metrics must not load a database that is busy already. */
const timeoutMs = 2_000;

/** Jobs by queue: `waiting` for their time or a lane, `running`, or `exhausted` after the last attempt. */
const jobs: MetricSource = {
  name: 'fieldfare_jobs',
  help: 'Stored jobs of the whole instance',
  kind: 'gauge',
  labels: ['queue', 'state'],
  collect: (app) =>
    queryWithTimeout<Sample>(
      app,
      sql`select json_build_object('queue', queue, 'state', state) as labels, sum(coalesce(cardinality(subscribers), 1))::float8 as value
        from (select queue, subscribers, case when exhausted_at is not null then 'exhausted'
            when leased_until >= ${app.clock.now()} then 'running' else 'waiting' end as state from jobs) job
        group by queue, state`,
      { timeoutMs },
    ),
};

const oldestJob: MetricSource = {
  name: 'fieldfare_jobs_oldest_due_seconds',
  help: 'How long the job that is due longest has been waiting, by queue, in the whole instance',
  kind: 'gauge',
  labels: ['queue'],
  collect: (app) =>
    queryWithTimeout<Sample>(
      app,
      sql`select json_build_object('queue', queue) as labels,
          extract(epoch from ${app.clock.now()} - min(run_at))::float8 as value
        from jobs where exhausted_at is null and run_at <= ${app.clock.now()}
        group by queue`,
      { timeoutMs },
    ),
};

const connections: MetricSource = {
  name: 'fieldfare_database_connections',
  help: 'Connections of this process to PostgreSQL; waiting: requests for one',
  kind: 'gauge',
  labels: ['state'],
  collect: ({ pool }) => [
    { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'waiting' }, value: pool.waitingCount },
  ],
};

const statements: MetricSource = {
  name: 'fieldfare_database_statements_total',
  help: 'Statements that this process sent to PostgreSQL',
  kind: 'counter',
  labels: [],
  collect: ({ queries }) => singleSample(queries.count),
};

const cacheEntries: MetricSource = {
  name: 'fieldfare_cache_entries',
  help: 'Entries in the caches of this process',
  kind: 'gauge',
  labels: ['cache'],
  collect: (app) =>
    app.subscriptions.caches.map((cache) => ({ labels: { cache: cache.name }, value: cache.size(app) })),
};

export const platformSources: readonly MetricSource[] = [
  jobs,
  oldestJob,
  jobResults.source,
  connections,
  statements,
  replicaLag,
  replicaReads.source,
  cacheEntries,
  availableServices,
];
