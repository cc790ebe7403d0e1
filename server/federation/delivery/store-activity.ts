import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { withContext } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { isDeadHost } from '../host-health.ts';
import { sha256 } from '../signatures/digests.ts';

/** An activity with where it goes. */
export interface OutgoingActivity {
  /** The local account that sends and signs it. */
  readonly senderId: AccountId;
  /** Or its text, passed on as it came. */
  readonly activity: Json | string;
  readonly context?: unknown;
  /** Addresses of inboxes; doubles are sent once. */
  readonly inboxes: readonly string[];
  /** Activities of one key keep their order at each inbox: the id of the object they are about. */
  readonly orderKey: string;
  /** It is for followers only, and tells each server whom we hold to be the sender's followers there (FEP-8fcf). */
  readonly includesFollowersDigest?: boolean;
}

/**
 * Stores an activity and one delivery for each inbox, in the caller's transaction and in one statement. What goes to a
 * host that is down waits until it is tried again; what goes to an inbox that is gone, or to a host that has been down for
 * a week, is left out. No-op if the sender is suspended, unless its account was deleted since.
 */
export async function storeActivity(
  tx: Transaction,
  app: App,
  { senderId, activity, context, inboxes, orderKey, includesFollowersDigest = false }: OutgoingActivity,
): Promise<void> {
  if (inboxes.length === 0) return;
  const now = app.clock.now();
  const body = typeof activity === 'string' ? activity : JSON.stringify(withContext(activity, context));
  await sql`
    with inbox as (
      select distinct on (url) url, split_part(url, '/', 3) as host from unnest(${[...inboxes]}::text[]) as inbox(url)
      where not exists (select 1 from gone_inboxes gone where gone.url = inbox.url)
        and not exists (
          select 1 from hosts where hosts.domain = split_part(url, '/', 3) and ${isDeadHost('hosts')})
    ), activity as (
      insert into activities (id, sender_account_id, body, digest, tells_followers, created_at)
      select ${newId<'activity'>(now)}::bigint, ${senderId}::bigint, ${body}, ${sha256(body)}, ${includesFollowersDigest}::boolean, ${now}
      where exists (select 1 from inbox) and not exists (
        select 1 from accounts where id = ${senderId}::bigint and suspended_at is not null and deleted_at is null)
      returning id
    )
    insert into deliveries (activity_id, host, inbox_url, order_key, run_at)
    select activity.id, inbox.host, inbox.url, ${orderKey},
      case when hosts.paused_at is not null then 'infinity' else greatest(${now}, hosts.unavailable_until) end
    from activity, inbox left join hosts on hosts.domain = inbox.host`.execute(tx.db);
  tx.afterCommit(() => app.wakeWorkers(['deliveries']));
}
