import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/** Failures in a row after which nothing is sent to a host for a while. */
const failuresToOpen = 3;
const longestPause = 6 * 3600;
/** After this, what could not be delivered is given up. */
const giveUpSeconds = 2 * 86_400;

/** Deletes deliveries that are done with, and the activities that no delivery needs any longer. */
export async function deleteDeliveries(app: App, done: readonly ClaimedDelivery[]): Promise<void> {
  if (done.length === 0) return;
  const activityIds = [...new Set(done.map(({ activityId }) => activityId))];
  await write(app, async ({ db }) => {
    await sql`delete from deliveries where id = any(${done.map(({ id }) => id)}::bigint[])`.execute(db);
    await sql`delete from activities activity where id = any(${activityIds}::bigint[])
      and not exists (select 1 from deliveries where activity_id = activity.id)`.execute(db);
  });
}

/** Gives deliveries back untried. */
export async function releaseDeliveries(app: App, deliveries: readonly ClaimedDelivery[], runAt: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await write(app, ({ db }) =>
    sql`update deliveries set leased_until = null, attempts = attempts - 1, run_at = greatest(run_at, ${runAt})
      where id = any(${deliveries.map(({ id }) => id)}::bigint[])`.execute(db),
  );
}

/** Remembers that a host takes what we send, and in which dialect. */
export async function noteSuccess(app: App, host: string, dialect: Dialect): Promise<void> {
  const now = app.clock.now();
  await write(app, ({ db }) =>
    sql`insert into hosts (domain, signature_dialect, last_success_at, created_at) values (${host}, ${dialect}, ${now}, ${now})
      on conflict (domain) do update set signature_dialect = excluded.signature_dialect, last_success_at = excluded.last_success_at,
        failures = 0, unavailable_until = null`.execute(db),
  );
}

/**
 * Remembers a failure of a host. Past a few in a row nothing more is sent there until a moment that moves further away
 * with each failure; what waits for it is moved there too, so that looking for other work does not walk over it.
 */
export async function noteFailure(app: App, host: string): Promise<void> {
  const now = app.clock.now();
  await write(app, async (write) => {
    const row = await write.db
      .insertInto('hosts')
      .values({ domain: host, failures: 1, last_failure_at: now, created_at: now })
      .onConflict((conflict) =>
        conflict.column('domain').doUpdateSet({ failures: sql`hosts.failures + 1`, last_failure_at: now }),
      )
      .returning('failures')
      .executeTakeFirstOrThrow();
    if (row.failures >= failuresToOpen) await pauseHost(write, host, later(now, pauseSeconds(row.failures)));
  });
}

/** Sends nothing to a host before a moment: it asked for it, or it keeps failing. */
export async function pauseHost({ db }: Write, host: string, until: Date): Promise<void> {
  await db
    .insertInto('hosts')
    .values({ domain: host, unavailable_until: until })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet({ unavailable_until: until }))
    .execute();
  await db
    .updateTable('deliveries')
    .set({ run_at: sql`greatest(run_at, ${until}::timestamptz)` })
    .where('host', '=', host)
    .where('run_at', '<', until)
    .execute();
}

/** Puts off a delivery that failed, with growing and scattered delays; after two days it is given up. */
export async function retryLater(app: App, delivery: ClaimedDelivery, reason: string): Promise<void> {
  const now = app.clock.now();
  if (now.getTime() - delivery.createdAt.getTime() > giveUpSeconds * 1000) {
    app.log.info({ host: delivery.host, reason }, 'a delivery was given up after two days');
    return deleteDeliveries(app, [delivery]);
  }
  const again = later(now, retrySeconds(delivery.attempts));
  await write(app, ({ db }) =>
    sql`update deliveries set leased_until = null, run_at = greatest(run_at, ${again}), last_error = ${reason.slice(0, 500)}
      where id = ${delivery.id}`.execute(db),
  );
}

/** Forgets an inbox that does not exist: what waits for it goes, and nothing more is stored for a while. */
export async function forgetInbox(app: App, delivery: ClaimedDelivery): Promise<void> {
  const now = app.clock.now();
  await write(app, async ({ db }) => {
    await sql`insert into gone_inboxes (url, gone_at) values (${delivery.inboxUrl}, ${now})
      on conflict (url) do update set gone_at = excluded.gone_at`.execute(db);
    await sql`delete from deliveries where inbox_url = ${delivery.inboxUrl} and host = ${delivery.host} and id <> ${delivery.id}
      and leased_until is null`.execute(db);
  });
  await deleteDeliveries(app, [delivery]);
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
