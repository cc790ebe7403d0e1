import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { writeStatement } from '../../platform/write/write-statement.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ClaimRequest } from '../../platform/work/claim-loop.ts';
import { leaseHolder } from '../../platform/work/lease-holder.ts';
import type { Lease } from '../../platform/work/leases.ts';
import { acceptsEd25519 } from '../ed25519-hosts.ts';
import { isProvenHost } from '../proven-hosts.ts';
import { pausedHosts } from './paused-hosts.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import type { ActivityId } from '../tables.ts';

/** An activity to send. The deliveries of a claim share it. */
interface ClaimedActivity {
  readonly id: ActivityId;
  readonly senderId: AccountId;
  readonly body: Buffer;
  readonly digest: string;
  readonly includesFollowersDigest: boolean;
  readonly createdAt: Date;
  /** The span that stored it. */
  readonly traceParent: string | null;
}

/** The stored state of a host before a delivery. */
export interface HostState {
  readonly dialect: Dialect;
  readonly acceptsEd25519: boolean;
  readonly failures: number;
  readonly lastSuccessAt: Date | undefined;
}

const unknownHost: HostState = { dialect: 'cavage', acceptsEd25519: false, failures: 0, lastSuccessAt: undefined };

/** A delivery leased by this process, with everything needed to send it. */
export interface ClaimedDelivery extends Lease {
  readonly host: string;
  readonly inboxUrl: string;
  readonly activity: ClaimedActivity;
  readonly hostState: HostState;
}

/** Null if the host is unknown. */
interface HostRow {
  readonly dialect: Dialect | null;
  readonly acceptsEd25519: boolean | null;
  readonly failures: number | null;
  readonly lastSuccessAt: Date | null;
}

interface DeliveryRow extends Lease, HostRow {
  readonly host: string;
  readonly inboxUrl: string;
  readonly activityId: ActivityId;
  readonly senderId: AccountId;
  /** Null unless it is the first row of its activity. */
  readonly body: string | null;
  readonly digest: string;
  readonly includesFollowersDigest: boolean;
  readonly createdAt: Date;
  readonly traceParent: string | null;
}

export const leaseSeconds = 120;

export const leaseExpiry = (app: App): Date => new Date(app.clock.now().getTime() + leaseSeconds * 1000);

/**
 * Claims due deliveries in order, except for paused hosts and for busy ones, of which there may be thousands: `not in`
 * compares by a hash. A delivery waits for earlier ones to the same inbox with its order key, or with the key that it follows.
 */
export async function claimDeliveries(app: App, room: ClaimRequest): Promise<ClaimedDelivery[]> {
  const now = app.clock.now();
  const { rows } = await writeStatement(
    app,
    sql<DeliveryRow>`
    with claimed as (
      update deliveries set leased_until = ${leaseExpiry(app)}, lease_holder = ${leaseHolder(app).id}, attempts = attempts + 1
      where id = any(array(
        select id from deliveries delivery
        where run_at <= ${now} and (leased_until is null or leased_until < ${now})
          and host not in (select unnest(${[...room.busyLanes]}::text[]) union all ${pausedHosts})
          and (not ${room.responsiveHostsOnly}::boolean or ${isProvenHost(app, sql.ref('delivery.host'))})
          and (order_key is null or not exists (
            select 1 from deliveries earlier
            where earlier.inbox_url = delivery.inbox_url and earlier.order_key = delivery.order_key and earlier.id < delivery.id))
          and (after_key is null or not exists (
            select 1 from deliveries earlier
            where earlier.inbox_url = delivery.inbox_url and earlier.order_key = delivery.after_key and earlier.id < delivery.id))
        order by run_at, id limit ${room.maxRows} for update skip locked))
      returning id, host, inbox_url, attempts, activity_id, lease_holder
    )
    select claimed.id, claimed.host, claimed.inbox_url as "inboxUrl", claimed.attempts, claimed.lease_holder as holder,
      claimed.activity_id as "activityId", activity.sender_account_id as "senderId", activity.digest,
      case when row_number() over (partition by claimed.activity_id order by claimed.id) = 1 then activity.body end as body,
      activity.tells_followers as "includesFollowersDigest", activity.created_at as "createdAt", activity.trace_parent as "traceParent",
      hosts.signature_dialect as dialect, ${acceptsEd25519(app)} as "acceptsEd25519", hosts.failures, hosts.last_success_at as "lastSuccessAt"
    from claimed join activities activity on activity.id = claimed.activity_id
      left join hosts on hosts.domain = claimed.host
    order by claimed.id`,
  );
  return toDeliveries(rows);
}

/** Builds each activity once, from its first row. */
function toDeliveries(rows: readonly DeliveryRow[]): ClaimedDelivery[] {
  const activities = new Map<ActivityId, ClaimedActivity>();
  return rows.map(({ id, holder, attempts, host, inboxUrl, ...row }) => {
    const { activityId, body, senderId, digest, includesFollowersDigest, createdAt, traceParent } = row;
    const activity = activities.get(activityId) ?? {
      id: activityId,
      senderId,
      body: Buffer.from(body ?? ''),
      digest,
      includesFollowersDigest,
      createdAt,
      traceParent,
    };
    activities.set(activityId, activity);
    return { id, holder, attempts, host, inboxUrl, activity, hostState: toHostState(row) };
  });
}

const toHostState = ({ dialect, acceptsEd25519: isAccepted, failures, lastSuccessAt }: HostRow): HostState =>
  dialect === null || failures === null
    ? unknownHost
    : { dialect, acceptsEd25519: isAccepted === true, failures, lastSuccessAt: lastSuccessAt ?? undefined };
