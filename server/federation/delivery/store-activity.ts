import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { currentSpan } from '../../platform/tracing/span.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { withContext } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { deliveriesScheduled } from '../events.ts';
import { isDeadHost } from '../host-health.ts';
import { sha256 } from '../signatures/digests.ts';

/** An activity and its recipients. */
export interface OutgoingActivity {
  /** The local account that sends and signs it. */
  readonly senderId: AccountId;
  /** A string is forwarded as it is. */
  readonly activity: Json | string;
  readonly context?: unknown;
  /** URLs; duplicates get one delivery. */
  readonly inboxes: readonly string[];
  /** Activities with the same key reach an inbox in order. Usually the id of the object that they are about. */
  readonly orderKey: string;
  /** It also waits for earlier activities with this key to the same inbox. */
  readonly afterKey?: string | undefined;
  /** It is for followers only, and carries a digest of the sender's followers on the receiving server (FEP-8fcf). */
  readonly includesFollowersDigest?: boolean;
  /** It is also sent while the sender is suspended. */
  readonly isAboutSuspension?: boolean;
}

/** Stores one activity with its deliveries; see `storeActivities`. */
export const storeActivity = (tx: Transaction, app: App, activity: OutgoingActivity): Promise<void> =>
  storeActivities(tx, app, [activity]);

/**
 * Stores activities and one delivery per activity and inbox, in the caller's transaction and in one statement. A delivery
 * to a failing host is due when its pause ends, one to a host that staff paused when they resume it. Leaves out inboxes that are gone and hosts that have been
 * unreachable for a week. Skips activities of suspended senders, except those about the suspension and the deletion of the
 * account.
 */
export async function storeActivities(
  tx: Transaction,
  app: App,
  activities: readonly OutgoingActivity[],
): Promise<void> {
  const now = app.clock.now();
  const rows = activities
    .filter(({ inboxes }) => inboxes.length > 0)
    .map((outgoing) => ({ ...outgoing, id: newId<'activity'>(now), body: bodyOf(outgoing) }));
  if (rows.length === 0) return;
  const traceParent = currentSpan()?.traceParent ?? null;
  const inboxes = rows.flatMap(({ id, inboxes: urls }) => urls.map((url) => ({ id, url })));
  const { rows: stored } = await sql<{ is_due: boolean | null }>`
    with outgoing as materialized (
      select * from unnest(
        ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ senderId }) => senderId)}::bigint[],
        ${rows.map(({ body }) => body)}::text[], ${rows.map(({ body }) => sha256(body))}::text[],
        ${rows.map(({ includesFollowersDigest = false }) => includesFollowersDigest)}::boolean[],
        ${rows.map(({ orderKey }) => orderKey)}::text[], ${rows.map(({ afterKey }) => afterKey ?? null)}::text[],
        ${rows.map(({ isAboutSuspension = false }) => isAboutSuspension)}::boolean[]
      ) with ordinality as outgoing(id, sender_account_id, body, digest, tells_followers, order_key, after_key, about_suspension,
        place)
    ), inbox as materialized (
      select distinct on (activity_id, url) activity_id, url, split_part(url, '/', 3) as host
      from unnest(${inboxes.map(({ id }) => id)}::bigint[], ${inboxes.map(({ url }) => url)}::text[])
        as inbox(activity_id, url)
      where not exists (select 1 from gone_inboxes gone where gone.url = inbox.url)
        and not exists (
          select 1 from hosts where hosts.domain = split_part(url, '/', 3) and ${isDeadHost('hosts')})
    ), paused as materialized (
      -- The lock makes the end of a pause wait, or ends the wait for it: no delivery stays behind.
      select domain from hosts where paused_at is not null and domain in (select host from inbox) for share
    ), activity as (
      insert into activities (id, sender_account_id, body, digest, tells_followers, created_at, trace_parent)
      select id, sender_account_id, body, digest, tells_followers, ${now}, ${traceParent}::text from outgoing
      where exists (select 1 from inbox where inbox.activity_id = outgoing.id) and not exists (
        select 1 from accounts
        where accounts.id = outgoing.sender_account_id and suspended_at is not null and deleted_at is null
          and not outgoing.about_suspension)
      returning id
    ), delivery as (
      insert into deliveries (activity_id, host, inbox_url, order_key, after_key, run_at)
      select activity.id, inbox.host, inbox.url, outgoing.order_key, outgoing.after_key,
        case when paused.domain is not null then 'infinity' else greatest(${now}, hosts.unavailable_until) end
      from activity join outgoing on outgoing.id = activity.id join inbox on inbox.activity_id = activity.id
        left join hosts on hosts.domain = inbox.host left join paused on paused.domain = inbox.host
      order by outgoing.place, inbox.url
      returning run_at
    )
    select bool_or(run_at <= ${now}) as is_due from delivery`.execute(tx.db);
  if (stored[0]?.is_due === true) tx.emit(deliveriesScheduled({}));
}

const bodyOf = ({ activity, context }: OutgoingActivity): string =>
  typeof activity === 'string' ? activity : JSON.stringify(withContext(activity, context));
