import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { isDeadHost } from '../host-health.ts';

/** Deliveries per host that are counted. */
const maxCounted = 10_000;

/** What is known about exchanging activities with a host. */
export interface ListedHost {
  readonly domain: string;
  readonly software: string | null;
  /** Failed deliveries since the last success. */
  readonly failures: number;
  readonly failing_since: Date | null;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  /** When the next delivery is attempted; null: nothing holds deliveries back. */
  readonly unavailable_until: Date | null;
  /** When staff stopped deliveries to it; null: they did not. */
  readonly paused_at: Date | null;
  /** Deliveries failed for a week: it is sent nothing new. */
  readonly dead: boolean;
  /** Activities that wait to be delivered to it, counted up to 10,000. */
  readonly deliveries: number;
  /** Of the delivery that was attempted last. */
  readonly last_error: string | null;
  /** Activities from it that could not be processed. */
  readonly failed_received: number;
}

/** Activities of one direction and state in the whole instance. */
export interface FederationQueue {
  readonly direction: 'deliveries' | 'received';
  readonly state: 'waiting' | 'retrying' | 'paused' | 'exhausted';
  readonly activities: number;
  readonly first_due_at: Date | null;
}

const hostQuery = (condition: RawBuilder<unknown>): RawBuilder<ListedHost> => sql<ListedHost>`
  select hosts.domain, software, failures, failing_since, last_success_at, last_failure_at, unavailable_until, paused_at,
    ${isDeadHost('hosts')} as dead, pending.deliveries, pending.last_error,
    (select count(*)::int from inbox_activities received
      where received.signer_host = hosts.domain and received.last_error is not null) as failed_received
  from hosts cross join lateral (
    select count(*)::int as deliveries,
      (array_agg(last_error order by run_at desc) filter (where last_error is not null))[1] as last_error
    from (select run_at, last_error from deliveries where host = hosts.domain limit ${maxCounted}) delivery
  ) pending
  ${condition}`;

/** Lists the hosts to which deliveries fail or are held back, by domain. */
export async function listFailingHosts(
  app: App,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<ListedHost[]> {
  const { rows } = await hostQuery(sql`
    where (failing_since is not null or unavailable_until > ${app.clock.now()} or paused_at is not null) and hosts.domain > ${after}
    order by hosts.domain limit ${limit}`).execute(app.db);
  return rows;
}

/** Finds a host by its domain, with its port if that is not the usual one. */
export async function findHost(app: App, domain: string): Promise<ListedHost | undefined> {
  const { rows } = await hostQuery(sql`where hosts.domain = ${domain}`).execute(app.db);
  return rows[0];
}

/** Counts the activities that wait, in both directions. */
export async function countQueues({ db }: App): Promise<FederationQueue[]> {
  const { rows } = await sql<FederationQueue>`
    select 'deliveries' as direction, case when run_at = 'infinity' then 'paused' when attempts > 0 then 'retrying'
      else 'waiting' end as state, count(*)::int as activities, nullif(min(run_at), 'infinity') as first_due_at
    from deliveries group by 1, 2
    union all
    select 'received', case when exhausted_at is not null then 'exhausted' when attempts > 0 then 'retrying'
      else 'waiting' end, count(*)::int, min(run_at)
    from inbox_activities group by 1, 2
    order by 1, 2`.execute(db);
  return rows;
}
