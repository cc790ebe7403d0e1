import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { writeStatement } from '../../platform/write/write-statement.ts';
import { errorText, isStillLeased, leaseRows, type Lease } from '../../platform/work/leases.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import { deliveriesScheduled, deliveryFailed } from '../events.ts';
import { maxDeliveryAgeSeconds } from './expire-deliveries.ts';
import { deliveryResults } from './delivery-metrics.ts';
import {
  requestedPauses,
  addSeconds,
  maxPauseSeconds,
  pauseHosts,
  recoveryPauseSeconds,
  recoverySeconds,
  recordFailures,
  recordNotFound,
  recordSuccesses,
} from './record-host-results.ts';
import { leaseExpiry, type ClaimedDelivery } from './claim-deliveries.ts';

type Db = Transaction['db'];

/**
 * The result of a claimed delivery. `refused` and `gone` are final. `not_found`: the inbox failed, not its host.
 * `deferred`: the host asked to wait. `released`: not attempted, so it does not count as an attempt.
 */
export type DeliveryOutcome = { readonly delivery: ClaimedDelivery } & (
  | { readonly kind: 'released' }
  | { readonly kind: 'delivered'; readonly newDialect: Dialect | undefined }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'not_found'; readonly reason: string }
  | { readonly kind: 'deferred'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly isFailureOfHost: boolean }
);

type OutcomeKind = DeliveryOutcome['kind'];
type OutcomeOf<Name extends OutcomeKind> = Extract<DeliveryOutcome, { kind: Name }>;
type RetryableOutcome = OutcomeOf<'failed'> | OutcomeOf<'not_found'> | OutcomeOf<'deferred'>;

/** Records the results of deliveries in a fixed number of statements. */
export async function recordDeliveries(app: App, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const ofKind = <Name extends OutcomeKind>(kind: Name): OutcomeOf<Name>[] =>
    outcomes.filter((outcome): outcome is OutcomeOf<Name> => outcome.kind === kind);
  const deliveries = (list: readonly DeliveryOutcome[]) => list.map(({ delivery }) => delivery);
  const [refused, gone, failed] = [ofKind('refused'), ofKind('gone'), ofKind('failed')];
  const [notFound, deferred] = [ofKind('not_found'), ofKind('deferred')];
  for (const { delivery, reason } of refused) {
    app.log.info({ inbox: delivery.inboxUrl, reason }, 'a delivery was refused');
  }
  for (const { kind } of outcomes) if (kind !== 'released') deliveryResults.increment(app, { result: kind });
  if (outcomes.every(isPlainSuccess)) {
    await writeStatement(app, deletionOf(deliveries(outcomes)), { withIndexes: true });
    return;
  }
  const [old, tryAgain] = partitionByAge(app, [...failed, ...notFound, ...deferred]);
  await transaction(app, async ({ db, emit }) => {
    const hasRecovered = await recordSuccesses(app, db, ofKind('delivered'));
    await recordGoneInboxes(app, db, deliveries(gone));
    await releaseDeliveries(db, deliveries(ofKind('released')));
    await scheduleRetries(app, db, tryAgain);
    await recordNotFound(app, db, notFound);
    await pauseHosts(db, [...(await recordFailures(app, db, failed)), ...requestedPauses(app, deferred)]);
    await deleteDeliveries(db, deliveries([...ofKind('delivered'), ...refused, ...gone, ...old]));
    const hosts = new Set(deliveries([...failed, ...notFound, ...gone]).map(({ host }) => host));
    for (const host of hosts) emit(deliveryFailed({ host }));
    if (hasRecovered) emit(deliveriesScheduled({}));
  });
}

/** Nothing but the delivery changes. Nearly all results are of this kind. */
const isPlainSuccess = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === 'delivered' && outcome.newDialect === undefined;

/** Extends the leases of deliveries in progress. */
export async function renewDeliveries(app: App, leases: readonly Lease[]): Promise<void> {
  await transaction(app, ({ db }) =>
    sql`update deliveries set leased_until = ${leaseExpiry(app)} from (${leaseRows(leases)}) lease
      where ${isStillLeased('deliveries')}`.execute(db),
  );
}

/** Releases the leases of dead processes. */
export async function freeDeliveries(db: Db, holders: readonly string[]): Promise<void> {
  await sql`update deliveries set leased_until = null, lease_holder = null
    where lease_holder = any(${[...holders]}::uuid[])`.execute(db);
}

/** Deletes finished deliveries, and activities without other deliveries. */
async function deleteDeliveries(db: Db, done: readonly ClaimedDelivery[]): Promise<void> {
  if (done.length === 0) return;
  await deletionOf(done).execute(db);
}

const deletionOf = (done: readonly ClaimedDelivery[]): RawBuilder<object> =>
  sql`with done as (
      delete from deliveries using (${leaseRows(done)}) lease where ${isStillLeased('deliveries')}
      returning deliveries.id, deliveries.activity_id
    )
    delete from activities activity where activity.id in (select activity_id from done) and not exists (
      select from deliveries other where other.activity_id = activity.id and other.id not in (select id from done))`;

async function releaseDeliveries(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`update deliveries set leased_until = null, lease_holder = null, attempts = deliveries.attempts - 1
    from (${leaseRows(deliveries)}) lease where ${isStillLeased('deliveries')}`.execute(db);
}

/** Separates expired deliveries from the others. */
function partitionByAge(
  app: App,
  outcomes: readonly RetryableOutcome[],
): [old: RetryableOutcome[], others: RetryableOutcome[]] {
  const since = addSeconds(app.clock.now(), -maxDeliveryAgeSeconds);
  const expired = outcomes.filter(({ delivery }) => delivery.activity.createdAt < since);
  for (const { delivery, reason } of expired) {
    app.log.info({ host: delivery.host, reason }, 'a delivery expired after two days');
  }
  return [expired, outcomes.filter(({ delivery }) => delivery.activity.createdAt >= since)];
}

/**
 * Schedules retries of failed deliveries, with exponential backoff and jitter unless the host asked for a delay. What was
 * on its way when the host recovered is tried again soon.
 */
async function scheduleRetries(app: App, db: Db, outcomes: readonly RetryableOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const now = app.clock.now();
  const retryAt = outcomes.map((outcome) =>
    addSeconds(now, outcome.kind === 'deferred' ? outcome.seconds : retryDelaySeconds(outcome.delivery.attempts)),
  );
  const soonAt = outcomes.map(({ kind }) => (kind === 'failed' ? addSeconds(now, recoveryPauseSeconds) : null));
  await sql`update deliveries set leased_until = null, lease_holder = null,
      run_at = greatest(run_at, least(result.retry_at, case when exists (
        select from hosts where domain = deliveries.host and resumed_at > ${addSeconds(now, -recoverySeconds)}
      ) then result.soon_at end)),
      last_error = result.reason
    from (${leaseRows(outcomes.map(({ delivery }) => delivery))}) lease
      join unnest(${outcomes.map(({ delivery }) => delivery.id)}::bigint[], ${retryAt}::timestamptz[],
        ${soonAt}::timestamptz[], ${outcomes.map(({ reason }) => errorText(reason))}::text[]) as result(id, retry_at, soon_at, reason) on result.id = lease.id
    where ${isStillLeased('deliveries')}`.execute(db);
}

/**
 * Records inboxes as gone: deletes their pending deliveries, and stores no new ones until their host sends an activity.
 */
async function recordGoneInboxes(app: App, db: Db, gone: readonly ClaimedDelivery[]): Promise<void> {
  if (gone.length === 0) return;
  const urls = [...new Set(gone.map(({ inboxUrl }) => inboxUrl))];
  await sql`insert into gone_inboxes (url, gone_at)
    select url, ${app.clock.now()} from unnest(${urls}::text[]) as inbox(url) order by url
    on conflict (url) do update set gone_at = excluded.gone_at`.execute(db);
  await sql`delete from deliveries where inbox_url = any(${urls}::text[])
    and host = any(${gone.map(({ host }) => host)}::text[]) and leased_until is null`.execute(db);
}

/** Returns the delay before the next attempt: one minute, doubling up to six hours, with 25 % jitter. */
export function retryDelaySeconds(attempts: number): number {
  return Math.min(60 * 2 ** Math.min(attempts - 1, 12), maxPauseSeconds) * (0.75 + Math.random() / 2);
}
