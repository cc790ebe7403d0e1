import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { conflict } from '../../platform/http/http-errors.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { activitiesAccepted, deliveriesScheduled } from '../events.ts';

/** Rows per transaction. */
const batchSize = 1_000;

/** Activities to and from a host that were changed. */
interface ChangedActivities {
  readonly deliveries: number;
  readonly received: number;
}

/** What a batch changed in each direction; a full batch is followed by another. */
type ChangeBatch = (tx: Transaction) => Promise<ChangedActivities>;

/**
 * Makes all deliveries to a host due now, and processes activities from it again that failed. Ends its pause, also one
 * that it asked for. Reports the number of changed rows after each transaction. Throws 409 if staff paused it.
 */
export async function retryHost(
  app: App,
  staff: Staff,
  { host, progress }: { readonly host: string; readonly progress?: (changed: number) => void },
): Promise<ChangedActivities> {
  await transaction(app, async (tx) => {
    const paused = await tx.db
      .selectFrom('hosts')
      .select('domain')
      .where('domain', '=', host)
      .where('paused_at', 'is not', null)
      .executeTakeFirst();
    if (paused !== undefined) throw conflict('hosts.resumeFirst', { domain: host });
    await sql`delete from gone_inboxes where split_part(url, '/', 3) = ${host}`.execute(tx.db);
    await sql`update hosts set failures = 0, failing_since = null, unavailable_until = null, retry_after = null
      where domain = ${host}`.execute(tx.db);
    recordStaffAction(tx, staff, { target: 'server', verb: 'retry', label: host });
  });
  const now = app.clock.now();
  return changeInBatches(app, progress, async ({ db, emit }) => {
    const { numAffectedRows: deliveries = 0n } = await sql`
      update deliveries set run_at = ${now} where id in (
        select id from deliveries where host = ${host} and run_at > ${now} and leased_until is null
        limit ${batchSize} for update skip locked)`.execute(db);
    const { numAffectedRows: received = 0n } = await sql`
      update inbox_activities set run_at = ${now}, attempts = 0, exhausted_at = null where id in (
        select id from inbox_activities where signer_host = ${host} and leased_until is null
          and (exhausted_at is not null or run_at > ${now})
        limit ${batchSize} for update skip locked)`.execute(db);
    if (deliveries > 0n) emit(deliveriesScheduled({}));
    if (received > 0n) emit(activitiesAccepted({}));
    return { deliveries: Number(deliveries), received: Number(received) };
  });
}

/**
 * Deletes all deliveries to a host that are not in progress, and the activities from it that failed. Reports the number
 * of deleted rows after each transaction.
 */
export async function deleteHostQueue(
  app: App,
  staff: Staff,
  { host, progress }: { readonly host: string; readonly progress?: (changed: number) => void },
): Promise<ChangedActivities> {
  await transaction(app, async (tx) =>
    recordStaffAction(tx, staff, { target: 'server', verb: 'delete_queue', label: host }),
  );
  const now = app.clock.now();
  return changeInBatches(app, progress, async ({ db }) => {
    const { rows } = await sql<{ deliveries: number }>`
      with chosen as (
        select id, activity_id from deliveries
        where host = ${host} and (leased_until is null or leased_until < ${now})
        limit ${batchSize} for update skip locked
      ), deleted as (
        delete from deliveries using chosen where deliveries.id = chosen.id returning deliveries.id
      ), undelivered as (
        delete from activities activity where activity.id in (select activity_id from chosen) and not exists (
          select from deliveries other where other.activity_id = activity.id and other.id not in (select id from chosen))
      )
      select count(*)::int as deliveries from deleted`.execute(db);
    const { numAffectedRows: received = 0n } = await sql`
      delete from inbox_activities where id in (
        select id from inbox_activities where signer_host = ${host} and last_error is not null
          and (leased_until is null or leased_until < ${now})
        limit ${batchSize} for update skip locked)`.execute(db);
    return { deliveries: rows[0]?.deliveries ?? 0, received: Number(received) };
  });
}

async function changeInBatches(
  app: App,
  progress: ((changed: number) => void) | undefined,
  changeBatch: ChangeBatch,
): Promise<ChangedActivities> {
  let [deliveries, received] = [0, 0];
  for (;;) {
    const batch = await transaction(app, changeBatch);
    deliveries += batch.deliveries;
    received += batch.received;
    progress?.(deliveries + received);
    if (batch.deliveries < batchSize && batch.received < batchSize) return { deliveries, received };
  }
}
