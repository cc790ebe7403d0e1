import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { AccountId } from '../../platform/ids.ts';

/** An accepted activity that this process holds the lease of. */
export interface ClaimedActivity {
  readonly id: string;
  readonly actorUri: string;
  readonly inboxAccountId: AccountId | null;
  readonly forwarded: boolean;
  readonly body: string;
  /** This one included. */
  readonly attempts: number;
}

const leaseSeconds = 300;
const mostActors = 50;
const mostPerActor = 20;
/** What failed so often no longer holds back what the same actor sent later. */
const patience = 3;
const mostAttempts = 10;

/**
 * Takes what is due of up to 50 actors, oldest first: of each actor that no other process is at work on, its oldest
 * activities in their order.
 */
export async function claimActivities(app: App, busyActors: readonly string[]): Promise<ClaimedActivity[]> {
  const now = app.clock.now();
  const lease = new Date(now.getTime() + leaseSeconds * 1000);
  const { rows } = await sql<ClaimedActivity>`
    with heads as materialized (
      select id, actor_uri, attempts from inbox_activities head
      where exhausted_at is null and run_at <= ${now} and (leased_until is null or leased_until < ${now})
        and actor_uri <> all(${[...busyActors]}::text[])
        and not exists (
          select 1 from inbox_activities earlier
          where earlier.actor_uri = head.actor_uri and earlier.id < head.id
            and earlier.exhausted_at is null and earlier.attempts < ${patience})
      order by id limit ${mostActors} for update skip locked
    ), batch as (
      select id from heads
      union
      select following.id from heads cross join lateral (
        select id from inbox_activities later
        where later.actor_uri = heads.actor_uri and later.id > heads.id and later.exhausted_at is null
          and later.run_at <= ${now} and later.attempts < ${patience} and heads.attempts < ${patience}
        order by id limit ${mostPerActor}) following
    )
    update inbox_activities set leased_until = ${lease}, attempts = attempts + 1
    where id in (select id from batch)
    returning id, actor_uri as "actorUri", inbox_account_id as "inboxAccountId", forwarded, body, attempts`.execute(
    app.db,
  );
  return rows.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

/** Ends activities that were acted upon; their ids stay among those received. */
export async function finishActivities(app: App, done: readonly ClaimedActivity[]): Promise<void> {
  if (done.length === 0) return;
  await write(app, ({ db }) =>
    sql`delete from inbox_activities where id = any(${done.map(({ id }) => id)}::bigint[])`.execute(db),
  );
}

/** Gives activities back that were not looked at, because an earlier one of their actor failed. */
export async function releaseActivities(app: App, rest: readonly ClaimedActivity[]): Promise<void> {
  if (rest.length === 0) return;
  await write(app, ({ db }) =>
    sql`update inbox_activities set leased_until = null, attempts = attempts - 1
      where id = any(${rest.map(({ id }) => id)}::bigint[])`.execute(db),
  );
}

/** Puts off an activity that failed; after ten times it is kept for staff to see, and not tried again. */
export async function failActivity(app: App, activity: ClaimedActivity, error: unknown): Promise<void> {
  const now = app.clock.now();
  const seconds = Math.min(activity.attempts ** 4 + 5, 6 * 3600) * (0.75 + Math.random() / 2);
  await write(app, ({ db }) =>
    db
      .updateTable('inbox_activities')
      .set({
        leased_until: null,
        run_at: new Date(now.getTime() + seconds * 1000),
        last_error: String(error).slice(0, 1000),
        exhausted_at: activity.attempts >= mostAttempts ? now : null,
      })
      .where('id', '=', activity.id)
      .execute(),
  );
}
