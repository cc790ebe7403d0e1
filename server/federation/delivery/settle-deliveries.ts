import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { errorText, isStillLeased, leaseRows, type Lease } from '../../platform/jobs/leases.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import { leaseEnd, type ClaimedDelivery } from './claim-deliveries.ts';

type Db = App['db'];

/**
 * What became of a claimed delivery. `refused` and `gone` are final; `later`: the host asks to wait; `released`: it was
 * not tried, and does not count as an attempt.
 */
export type DeliveryOutcome = { readonly delivery: ClaimedDelivery } & (
  | { readonly kind: 'released' }
  | { readonly kind: 'delivered'; readonly newDialect: Dialect | undefined }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'later'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly isFailureOfHost: boolean }
);

type Kind = DeliveryOutcome['kind'];
type Of<Name extends Kind> = Extract<DeliveryOutcome, { kind: Name }>;
type Failure = Of<'failed'> | Of<'later'>;

/** Failures in a row after which nothing is sent to a host for a while. */
const failuresToOpen = 3;
/** So long nothing that waits for a host is sent after its first failures. */
const shortPause = 60;
const longestPause = 6 * 3600;
/** After this, what could not be delivered is given up. */
const giveUpSeconds = 2 * 86_400;

/** Records what became of deliveries, in a fixed number of statements however many they are. */
export async function recordDeliveries(app: App, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const of = <Name extends Kind>(kind: Name): Of<Name>[] =>
    outcomes.filter((outcome): outcome is Of<Name> => outcome.kind === kind);
  const deliveries = (list: readonly DeliveryOutcome[]) => list.map(({ delivery }) => delivery);
  const [refused, gone, failed, later] = [of('refused'), of('gone'), of('failed'), of('later')];
  for (const { delivery, reason } of refused) {
    app.log.info({ inbox: delivery.inboxUrl, reason }, 'a delivery was refused');
  }
  const [old, tryAgain] = splitByAge(app, [...failed, ...later]);
  await write(app, async ({ db }) => {
    await recordSuccesses(app, db, of('delivered'));
    await forgetInboxes(app, db, deliveries(gone));
    await release(db, deliveries(of('released')));
    await retryLater(app, db, tryAgain);
    await pauseHosts(db, [...(await recordFailures(app, db, failed)), ...askedToWait(app, later)]);
    await remove(db, deliveries([...of('delivered'), ...refused, ...gone, ...old]));
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

/** Stores that hosts take what we send, and in which dialect. */
async function recordSuccesses(app: App, db: Db, delivered: readonly Of<'delivered'>[]): Promise<void> {
  const dialects = new Map(
    delivered.flatMap(({ delivery, newDialect }) => (newDialect === undefined ? [] : [[delivery.host, newDialect]])),
  );
  if (dialects.size === 0) return;
  const now = app.clock.now();
  await sql`insert into hosts (domain, signature_dialect, last_success_at, created_at)
    select domain, dialect, ${now}, ${now}
    from unnest(${[...dialects.keys()]}::text[], ${[...dialects.values()]}::text[]) as host(domain, dialect) order by domain
    on conflict (domain) do update set signature_dialect = excluded.signature_dialect,
      last_success_at = excluded.last_success_at, failures = 0, unavailable_until = null`.execute(db);
}

/** A host, and until when nothing is sent to it. */
interface Pause {
  readonly host: string;
  readonly until: Date;
  /** The pause holds for what is stored from now on, too. */
  readonly isOpen: boolean;
}

/** Counts failures of hosts. Returns how long each is left alone; past a few in a row, longer each time. */
async function recordFailures(app: App, db: Db, failed: readonly Of<'failed'>[]): Promise<Pause[]> {
  const hosts = [...new Set(failed.filter((one) => one.isFailureOfHost).map(({ delivery }) => delivery.host))];
  if (hosts.length === 0) return [];
  const now = app.clock.now();
  const { rows } = await sql<{ domain: string; failures: number }>`
    insert into hosts (domain, failures, last_failure_at, created_at)
    select domain, 1, ${now}, ${now} from unnest(${hosts}::text[]) as host(domain) order by domain
    on conflict (domain) do update set failures = hosts.failures + 1, last_failure_at = excluded.last_failure_at
    returning domain, failures`.execute(db);
  return rows.map(({ domain, failures }) => {
    const isOpen = failures >= failuresToOpen;
    return { host: domain, until: later(now, isOpen ? pauseSeconds(failures) : shortPause), isOpen };
  });
}

function askedToWait(app: App, asked: readonly Of<'later'>[]): Pause[] {
  const seconds = new Map(asked.map((outcome) => [outcome.delivery.host, outcome.seconds]));
  return [...seconds].map(([host, wait]) => ({ host, until: later(app.clock.now(), wait), isOpen: true }));
}

/** Moves what waits for these hosts to the end of their pauses, so that looking for other work does not walk over it. */
async function pauseHosts(db: Db, pauses: readonly Pause[]): Promise<void> {
  if (pauses.length === 0) return;
  const open = pauses.filter(({ isOpen }) => isOpen);
  const rows = (list: readonly Pause[]) =>
    sql`unnest(${list.map(({ host }) => host)}::text[], ${list.map(({ until }) => until)}::timestamptz[])`;
  if (open.length > 0) {
    await sql`insert into hosts (domain, unavailable_until)
      select domain, max(until) from ${rows(open)} as host(domain, until) group by domain order by domain
      on conflict (domain) do update set unavailable_until = excluded.unavailable_until`.execute(db);
  }
  await sql`update deliveries set run_at = pause.until from ${rows(pauses)} as pause(host, until)
    where deliveries.host = pause.host and deliveries.run_at < pause.until`.execute(db);
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

/** Puts off deliveries that failed, with growing and scattered delays. */
async function retryLater(app: App, db: Db, outcomes: readonly Failure[]): Promise<void> {
  if (outcomes.length === 0) return;
  const now = app.clock.now();
  const again = outcomes.map(({ delivery }) => later(now, retrySeconds(delivery.attempts)));
  await sql`update deliveries set leased_until = null, lease_holder = null, run_at = greatest(run_at, result.again),
      last_error = result.reason
    from (${leaseRows(outcomes.map(({ delivery }) => delivery))}) lease
      join unnest(${outcomes.map(({ delivery }) => delivery.id)}::bigint[], ${again}::timestamptz[],
        ${outcomes.map(({ reason }) => errorText(reason))}::text[]) as result(id, again, reason) on result.id = lease.id
    where ${isStillLeased('deliveries')}`.execute(db);
}

/** Remembers inboxes that do not exist: what waits for them is deleted, and nothing more is stored for a while. */
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

function pauseSeconds(failures: number): number {
  return Math.min(120 * 2 ** Math.min(failures - failuresToOpen, 12), longestPause) * (0.75 + Math.random() / 2);
}

export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
