import { sql } from 'kysely';
import { perApp, type App } from '../../platform/app.ts';
import { writeStatement } from '../../platform/write/write-statement.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, FetchBudgetId } from '../../platform/ids.ts';
import type { ClaimRequest } from '../../platform/work/claim-loop.ts';
import { leaseHolder } from '../../platform/work/lease-holder.ts';
import { errorText, isStillLeased, leaseRows, type Lease } from '../../platform/work/leases.ts';
import { isProvenHost } from '../proven-hosts.ts';

/** An accepted activity leased by this process. */
export interface ClaimedActivity extends Lease {
  readonly actorUri: string;
  /** The actor that signed the request; its lane. */
  readonly signerUri: string;
  readonly signerHost: string;
  readonly inboxAccountId: AccountId | null;
  readonly forwarded: boolean;
  readonly body: string;
  readonly fetchBudgetId: FetchBudgetId | null;
  /** The span that accepted it. */
  readonly traceParent: string | null;
}

/** `released`: not started, so it does not count as an attempt. */
export type ActivityOutcome =
  | { readonly kind: 'done' | 'released'; readonly activity: ClaimedActivity }
  | { readonly kind: 'failed'; readonly activity: ClaimedActivity; readonly error: unknown };

/** Most rows are deleted soon, so PostgreSQL expects few, and would read the pages of all deleted ones. */
const withIndexes = { withIndexes: true };
const leaseSeconds = 300;
const maxPerSigner = 20;
/** After this many failures, an activity no longer blocks later ones of its signer. */
const maxBlockingAttempts = 3;
const maxAttempts = 10;

/** A claim that takes longer has read a long backlog. */
const longClaimMs = 10;
/** Claims of responsive hosts that find nothing take at most this share of the time, however long the backlog is. */
const maxClaimShare = 1 / 20;

/** When the next claim of responsive hosts may run, by `performance.now()`. */
const responsiveClaims = perApp(() => ({ nextAt: 0 }));

const leaseExpiry = (app: App): Date => new Date(app.clock.now().getTime() + leaseSeconds * 1000);

/**
 * Claims due activities, oldest first: for each idle signer its oldest ones in order. An activity waits only for
 * earlier ones of the same signer, whatever its actor.
 */
export async function claimActivities(app: App, room: ClaimRequest): Promise<ClaimedActivity[]> {
  if (!room.responsiveHostsOnly) return leaseDueActivities(app, room);
  const pause = responsiveClaims(app);
  const startedAt = performance.now();
  if (startedAt < pause.nextAt) return [];
  const claimed = await leaseDueActivities(app, room);
  const elapsedMs = performance.now() - startedAt;
  if (claimed.length === 0 && elapsedMs > longClaimMs) pause.nextAt = startedAt + elapsedMs / maxClaimShare;
  return claimed;
}

/**
 * Reads the heads in order of their ids, and the others of their signers by the index of signers. The statement is often
 * planned for an empty table, where all plans seem to cost the same. `coalesce`, `offset 0`, the pairs and `id + 0` exclude
 * those that read all rows for each head.
 */
async function leaseDueActivities(app: App, room: ClaimRequest): Promise<ClaimedActivity[]> {
  const now = app.clock.now();
  const { rows } = await writeStatement(
    app,
    sql<ClaimedActivity>`
    with heads as materialized (
      select id, signer_uri, attempts from inbox_activities head
      where coalesce(exhausted_at, 'infinity') = 'infinity' and run_at <= ${now}
        and (leased_until is null or leased_until < ${now})
        and signer_uri not in (select unnest(${[...room.busyLanes]}::text[]))
        and signer_host <> all(${[...room.saturatedHosts]}::text[])
        and (not ${room.responsiveHostsOnly}::boolean or ${isProvenHost(app, sql.ref('head.signer_host'))})
        and not exists (
          select 1 from inbox_activities earlier
          where earlier.signer_uri = head.signer_uri
            and (earlier.signer_uri, earlier.id) < (head.signer_uri, head.id)
            and earlier.exhausted_at is null and earlier.attempts < ${maxBlockingAttempts}
          offset 0)
      order by id limit ${room.maxRows} for update skip locked
    ), batch as (
      select id from heads
      union
      select following.id from heads cross join lateral (
        select id from inbox_activities later
        where later.signer_uri = heads.signer_uri and (later.signer_uri, later.id) > (heads.signer_uri, heads.id)
          and later.exhausted_at is null and later.run_at <= ${now}
          and later.attempts < ${maxBlockingAttempts} and heads.attempts < ${maxBlockingAttempts}
        order by id + 0 limit ${maxPerSigner}) following
    )
    update inbox_activities set leased_until = ${leaseExpiry(app)}, lease_holder = ${leaseHolder(app).id}, attempts = attempts + 1
    where id = any(array(select id from batch))
    returning id, actor_uri as "actorUri", signer_uri as "signerUri", signer_host as "signerHost",
      inbox_account_id as "inboxAccountId", forwarded, body, attempts, lease_holder as holder,
      fetch_budget_id as "fetchBudgetId", trace_parent as "traceParent"`,
    withIndexes,
  );
  return rows.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

/**
 * Records the results of activities. Deletes processed ones; their keys remain. Retries failed ones with growing
 * delays, and keeps them for staff after ten attempts. Returns whether further activities of these signers wait.
 */
export async function recordActivities(app: App, outcomes: readonly ActivityOutcome[]): Promise<boolean> {
  const ofKind = (kind: 'done' | 'released') =>
    outcomes.filter((outcome) => outcome.kind === kind).map(({ activity }) => activity);
  const [done, released] = [ofKind('done'), ofKind('released')];
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  // Each in one round trip. If a later one fails, all are recorded again, which changes nothing twice.
  const hasMore = done.length > 0 && (await deleteActivities(app, done));
  if (released.length > 0) {
    await writeStatement(
      app,
      sql`update inbox_activities set leased_until = null, lease_holder = null, attempts = inbox_activities.attempts - 1
      from (${leaseRows(released)}) lease where ${isStillLeased('inbox_activities')}`,
      withIndexes,
    );
  }
  if (failed.length > 0) await recordFailures(app, failed);
  return hasMore || released.length > 0 || failed.length > 0;
}

async function deleteActivities(app: App, done: readonly ClaimedActivity[]): Promise<boolean> {
  const { rows } = await writeStatement(
    app,
    sql<{ hasMore: boolean }>`
    with deleted as (
      delete from inbox_activities using (${leaseRows(done)}) lease where ${isStillLeased('inbox_activities')}
    )
    select exists (
      select from inbox_activities other
      where other.signer_uri = any(${done.map(({ signerUri }) => signerUri)}::text[]) and other.exhausted_at is null
        and other.leased_until is null offset 0) as "hasMore"`,
    withIndexes,
  );
  return rows[0]?.hasMore === true;
}

async function recordFailures(
  app: App,
  failed: readonly { readonly activity: ClaimedActivity; readonly error: unknown }[],
): Promise<void> {
  const now = app.clock.now();
  const retryAt = failed.map(({ activity }) => {
    const seconds = Math.min(activity.attempts ** 4 + 5, 6 * 3600) * (0.75 + Math.random() / 2);
    return new Date(now.getTime() + seconds * 1000);
  });
  await writeStatement(
    app,
    sql`update inbox_activities set leased_until = null, lease_holder = null, run_at = result.retry_at,
      last_error = result.error,
      exhausted_at = case when inbox_activities.attempts >= ${maxAttempts}::int then ${now}::timestamptz end
    from (${leaseRows(failed.map(({ activity }) => activity))}) lease
      join unnest(${failed.map(({ activity }) => activity.id)}::bigint[], ${retryAt}::timestamptz[],
        ${failed.map(({ error }) => errorText(error))}::text[]) as result(id, retry_at, error) on result.id = lease.id
    where ${isStillLeased('inbox_activities')}`,
    withIndexes,
  );
}

export async function renewActivities(app: App, leases: readonly Lease[]): Promise<void> {
  await writeStatement(
    app,
    sql`update inbox_activities set leased_until = ${leaseExpiry(app)} from (${leaseRows(leases)}) lease
    where ${isStillLeased('inbox_activities')}`,
    withIndexes,
  );
}

export async function freeActivities(db: Transaction['db'], holders: readonly string[]): Promise<void> {
  await sql`update inbox_activities set leased_until = null, lease_holder = null
    where lease_holder = any(${[...holders]}::uuid[])`.execute(db);
}
