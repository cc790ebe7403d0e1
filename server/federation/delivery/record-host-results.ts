import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { advanceDeliveries } from '../host-health.ts';
import type { DeliveryOutcome } from './record-deliveries.ts';

type Db = Transaction['db'];
type OutcomeOf<Kind extends DeliveryOutcome['kind']> = Extract<DeliveryOutcome, { kind: Kind }>;

/** Consecutive failures that open the circuit of a host. */
const failuresToOpenCircuit = 3;
/** Pause of pending deliveries after the first failures of a host. */
const shortPauseSeconds = 60;
export const maxPauseSeconds = 6 * 3600;

/** A delivery that was on its way when its host recovered may fail until then, and is tried again soon. */
export const recoverySeconds = 15;
export const recoveryPauseSeconds = 4;

/**
 * Records successful deliveries to hosts, with the signature dialect that they accept. What waits for a host that had
 * failed becomes due. Returns whether there are such hosts.
 */
export async function recordSuccesses(
  app: App,
  db: Db,
  delivered: readonly OutcomeOf<'delivered'>[],
): Promise<boolean> {
  const dialects = new Map(
    delivered.flatMap(({ delivery, newDialect }) => (newDialect === undefined ? [] : [[delivery.host, newDialect]])),
  );
  if (dialects.size === 0) return false;
  const now = app.clock.now();
  const recovered = delivered.flatMap(({ delivery }) => (delivery.hostState.failures > 0 ? [delivery.host] : []));
  await sql`insert into hosts (domain, signature_dialect, last_success_at, created_at)
    select domain, dialect, ${now}, ${now}
    from unnest(${[...dialects.keys()]}::text[], ${[...dialects.values()]}::text[]) as host(domain, dialect) order by domain
    on conflict (domain) do update set signature_dialect = excluded.signature_dialect,
      last_success_at = excluded.last_success_at, failures = 0, failing_since = null,
      unavailable_until = case when hosts.retry_after > ${now} then hosts.unavailable_until end`.execute(db);
  if (recovered.length > 0) await advanceDeliveries(app, db, [...new Set(recovered)]);
  return recovered.length > 0;
}

/** A pause of deliveries to a host. */
interface HostPause {
  readonly host: string;
  readonly until: Date;
  /** The pause also applies to deliveries that are stored later. */
  readonly isCircuitOpen: boolean;
  /** The host requested the pause with Retry-After. */
  readonly isRequestedByHost: boolean;
}

/** Counts failures of hosts. Returns a pause for each, which grows once the circuit is open. */
export async function recordFailures(app: App, db: Db, failed: readonly OutcomeOf<'failed'>[]): Promise<HostPause[]> {
  const hosts = [...new Set(failed.filter((one) => one.isFailureOfHost).map(({ delivery }) => delivery.host))];
  if (hosts.length === 0) return [];
  const now = app.clock.now();
  const { rows } = await sql<{ domain: string; failures: number; isRecovering: boolean | null }>`
    insert into hosts (domain, failures, failing_since, last_failure_at, created_at)
    select domain, 1, ${now}, ${now}, ${now} from unnest(${hosts}::text[]) as host(domain) order by domain
    on conflict (domain) do update set failures = hosts.failures + 1, last_failure_at = excluded.last_failure_at,
      failing_since = coalesce(hosts.failing_since, excluded.failing_since)
    returning domain, failures, resumed_at > ${addSeconds(now, -recoverySeconds)} as "isRecovering"`.execute(db);
  return rows.map(({ domain, failures, isRecovering }) => {
    const isCircuitOpen = failures >= failuresToOpenCircuit;
    return {
      host: domain,
      until: addSeconds(
        now,
        isCircuitOpen ? pauseSeconds(failures) : isRecovering === true ? recoveryPauseSeconds : shortPauseSeconds,
      ),
      isCircuitOpen,
      isRequestedByHost: false,
    };
  });
}

/** Records that a host answered 404. It is not paused, but counts as dead if no delivery succeeds. */
export async function recordNotFound(app: App, db: Db, missing: readonly OutcomeOf<'not_found'>[]): Promise<void> {
  if (missing.length === 0) return;
  const now = app.clock.now();
  const hosts = [...new Set(missing.map(({ delivery }) => delivery.host))];
  await sql`insert into hosts (domain, failing_since, last_failure_at, created_at)
    select domain, ${now}, ${now}, ${now} from unnest(${hosts}::text[]) as host(domain) order by domain
    on conflict (domain) do update set last_failure_at = excluded.last_failure_at,
      failing_since = coalesce(hosts.failing_since, excluded.failing_since)`.execute(db);
}

export function requestedPauses(app: App, outcomes: readonly OutcomeOf<'deferred'>[]): HostPause[] {
  const seconds = new Map(outcomes.map((outcome) => [outcome.delivery.host, outcome.seconds]));
  return [...seconds].map(([host, wait]) => ({
    host,
    until: addSeconds(app.clock.now(), wait),
    isCircuitOpen: true,
    isRequestedByHost: true,
  }));
}

/** Postpones pending deliveries to the end of the pauses, so that claims need not skip over them. */
export async function pauseHosts(db: Db, pauses: readonly HostPause[]): Promise<void> {
  if (pauses.length === 0) return;
  const open = pauses.filter(({ isCircuitOpen }) => isCircuitOpen);
  const rows = (list: readonly HostPause[]) =>
    sql`unnest(${list.map(({ host }) => host)}::text[], ${list.map(({ until }) => until)}::timestamptz[],
      ${list.map(({ isRequestedByHost }) => isRequestedByHost)}::boolean[])`;
  if (open.length > 0) {
    await sql`insert into hosts (domain, unavailable_until, retry_after)
      select domain, max(until), max(until) filter (where is_requested)
      from ${rows(open)} as host(domain, until, is_requested) group by domain order by domain
      on conflict (domain) do update set
        unavailable_until = greatest(hosts.unavailable_until, excluded.unavailable_until),
        retry_after = greatest(hosts.retry_after, excluded.retry_after)`.execute(db);
  }
  await sql`update deliveries set run_at = pause.until from ${rows(pauses)} as pause(host, until, is_requested)
    where deliveries.host = pause.host and deliveries.run_at < pause.until`.execute(db);
}

function pauseSeconds(failures: number): number {
  return (
    Math.min(120 * 2 ** Math.min(failures - failuresToOpenCircuit, 12), maxPauseSeconds) * (0.75 + Math.random() / 2)
  );
}

export function addSeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
