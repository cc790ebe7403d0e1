import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import { errorText, isStillLeased, leaseRows, type Lease } from '../../platform/jobs/leases.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import { announceFailures } from '../host-health.ts';
import { giveUpSeconds } from './give-up.ts';
import {
  askedToWait,
  later,
  longestPause,
  pauseHosts,
  recordFailures,
  recordMissing,
  recordSuccesses,
} from './record-hosts.ts';
import { leaseEnd, type ClaimedDelivery } from './claim-deliveries.ts';

type Db = Write['db'];

/**
 * The result of a claimed delivery. `refused` and `gone` are final; `missing`: a failure of this inbox, not of its host;
 * `later`: the host asks to wait; `released`: it was not tried, and does not count as an attempt.
 */
export type DeliveryOutcome = { readonly delivery: ClaimedDelivery } & (
  | { readonly kind: 'released' }
  | { readonly kind: 'delivered'; readonly newDialect: Dialect | undefined }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'later'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly isFailureOfHost: boolean }
);

type Kind = DeliveryOutcome['kind'];
type Of<Name extends Kind> = Extract<DeliveryOutcome, { kind: Name }>;
type Failure = Of<'failed'> | Of<'missing'> | Of<'later'>;

/** Records what became of deliveries, in a fixed number of statements however many they are. */
export async function recordDeliveries(app: App, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const of = <Name extends Kind>(kind: Name): Of<Name>[] =>
    outcomes.filter((outcome): outcome is Of<Name> => outcome.kind === kind);
  const deliveries = (list: readonly DeliveryOutcome[]) => list.map(({ delivery }) => delivery);
  const [refused, gone, failed] = [of('refused'), of('gone'), of('failed')];
  const [missing, later] = [of('missing'), of('later')];
  for (const { delivery, reason } of refused) {
    app.log.info({ inbox: delivery.inboxUrl, reason }, 'a delivery was refused');
  }
  const [old, tryAgain] = splitByAge(app, [...failed, ...missing, ...later]);
  await write(app, async ({ db, afterCommit }) => {
    await recordSuccesses(app, db, of('delivered'));
    await forgetInboxes(app, db, deliveries(gone));
    await release(db, deliveries(of('released')));
    await retryLater(app, db, tryAgain);
    await recordMissing(app, db, missing);
    await pauseHosts(db, [...(await recordFailures(app, db, failed)), ...askedToWait(app, later)]);
    await remove(db, deliveries([...of('delivered'), ...refused, ...gone, ...old]));
    const hosts = new Set(deliveries([...failed, ...missing, ...gone]).map(({ host }) => host));
    afterCommit(() => announceFailures(app, [...hosts]));
  });
}

/** Extends the leases of deliveries that are still being sent. */
export async function renewDeliveries(app: App, leases: readonly Lease[]): Promise<void> {
  await write(app, ({ db }) =>
    sql`update deliveries set leased_until = ${leaseEnd(app)} from (${leaseRows(leases)}) lease
      where ${isStillLeased('deliveries')}`.execute(db),
  );
}

/** Frees what dead processes had claimed. */
export async function freeDeliveries(db: Db, holders: readonly string[]): Promise<void> {
  await sql`update deliveries set leased_until = null, lease_holder = null
    where lease_holder = any(${[...holders]}::uuid[])`.execute(db);
}

/** Deletes deliveries that are done with, and the activities that no delivery needs any longer. */
async function remove(db: Db, done: readonly ClaimedDelivery[]): Promise<void> {
  if (done.length === 0) return;
  const activityIds = [...new Set(done.map(({ activityId }) => activityId))];
  await sql`delete from deliveries using (${leaseRows(done)}) lease where ${isStillLeased('deliveries')}`.execute(db);
  await sql`delete from activities activity where id = any(${activityIds}::bigint[])
    and not exists (select 1 from deliveries where activity_id = activity.id)`.execute(db);
}

async function release(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`update deliveries set leased_until = null, lease_holder = null, attempts = deliveries.attempts - 1
    from (${leaseRows(deliveries)}) lease where ${isStillLeased('deliveries')}`.execute(db);
}

/** Separates what is too old to be tried again from the rest. */
function splitByAge(app: App, outcomes: readonly Failure[]): [old: Failure[], others: Failure[]] {
  const since = later(app.clock.now(), -giveUpSeconds);
  const old = outcomes.filter(({ delivery }) => delivery.createdAt < since);
  for (const { delivery, reason } of old) {
    app.log.info({ host: delivery.host, reason }, 'a delivery was given up after two days');
  }
  return [old, outcomes.filter(({ delivery }) => delivery.createdAt >= since)];
}

/** Puts off deliveries that failed, with growing and scattered delays unless the host named one. */
async function retryLater(app: App, db: Db, outcomes: readonly Failure[]): Promise<void> {
  if (outcomes.length === 0) return;
  const now = app.clock.now();
  const again = outcomes.map((outcome) =>
    later(now, outcome.kind === 'later' ? outcome.seconds : retrySeconds(outcome.delivery.attempts)),
  );
  await sql`update deliveries set leased_until = null, lease_holder = null, run_at = greatest(run_at, result.again),
      last_error = result.reason
    from (${leaseRows(outcomes.map(({ delivery }) => delivery))}) lease
      join unnest(${outcomes.map(({ delivery }) => delivery.id)}::bigint[], ${again}::timestamptz[],
        ${outcomes.map(({ reason }) => errorText(reason))}::text[]) as result(id, again, reason) on result.id = lease.id
    where ${isStillLeased('deliveries')}`.execute(db);
}

/** Stores that inboxes are gone: what waits for them is deleted, and nothing more is stored until their host speaks. */
async function forgetInboxes(app: App, db: Db, gone: readonly ClaimedDelivery[]): Promise<void> {
  if (gone.length === 0) return;
  const urls = [...new Set(gone.map(({ inboxUrl }) => inboxUrl))];
  await sql`insert into gone_inboxes (url, gone_at)
    select url, ${app.clock.now()} from unnest(${urls}::text[]) as inbox(url) order by url
    on conflict (url) do update set gone_at = excluded.gone_at`.execute(db);
  await sql`delete from deliveries where inbox_url = any(${urls}::text[])
    and host = any(${gone.map(({ host }) => host)}::text[]) and leased_until is null`.execute(db);
}

/** Seconds until the next try after so many: a minute, growing to six hours, give or take a quarter. */
export function retrySeconds(attempts: number): number {
  return Math.min(60 * 2 ** Math.min(attempts - 1, 12), longestPause) * (0.75 + Math.random() / 2);
}
