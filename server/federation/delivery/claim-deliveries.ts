import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { writeStatement } from '../../platform/database/write-statement.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ClaimRequest } from '../../platform/jobs/claim-loop.ts';
import { leaseHolder } from '../../platform/jobs/lease-holder.ts';
import type { Lease } from '../../platform/jobs/leases.ts';
import { isProvenHost } from '../proven-hosts.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import type { ActivityId } from '../tables.ts';

/** A delivery leased by this process, with everything needed to send it. */
export interface ClaimedDelivery extends Lease {
  readonly host: string;
  readonly inboxUrl: string;
  readonly activityId: ActivityId;
  readonly senderId: AccountId;
  readonly body: string;
  readonly digest: string;
  readonly includesFollowersDigest: boolean;
  readonly createdAt: Date;
}

/** The stored state of a host before a delivery. */
export interface HostState {
  readonly dialect: Dialect;
  readonly failures: number;
  readonly lastSuccessAt: Date | undefined;
}

export const leaseSeconds = 120;

export const leaseExpiry = (app: App): Date => new Date(app.clock.now().getTime() + leaseSeconds * 1000);

/**
 * Claims due deliveries, except for busy hosts. A delivery waits for earlier ones to the same inbox with its order key, or
 * with the key that it follows.
 */
export async function claimDeliveries(app: App, room: ClaimRequest): Promise<ClaimedDelivery[]> {
  const now = app.clock.now();
  const { rows } = await writeStatement(
    app,
    sql<ClaimedDelivery>`
    with claimed as (
      update deliveries set leased_until = ${leaseExpiry(app)}, lease_holder = ${leaseHolder(app).id}, attempts = attempts + 1
      where id = any(array(
        select id from deliveries delivery
        where run_at <= ${now} and (leased_until is null or leased_until < ${now})
          and host <> all(${[...room.busyLanes]}::text[])
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
      claimed.activity_id as "activityId", activity.sender_account_id as "senderId", activity.body, activity.digest,
      activity.tells_followers as "includesFollowersDigest", activity.created_at as "createdAt"
    from claimed join activities activity on activity.id = claimed.activity_id
    order by claimed.id`,
  );
  return rows;
}

/** Returns the states of known hosts. */
export async function loadHostStates(app: App, hosts: readonly string[]): Promise<Map<string, HostState>> {
  const rows = await app.db
    .selectFrom('hosts')
    .select(['domain', 'signature_dialect', 'failures', 'last_success_at'])
    .where(sql<boolean>`domain = any(${[...hosts]}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.domain,
      { dialect: row.signature_dialect, failures: row.failures, lastSuccessAt: row.last_success_at ?? undefined },
    ]),
  );
}
