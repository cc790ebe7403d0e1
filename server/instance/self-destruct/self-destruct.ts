import { sql } from 'kysely';
import { Type } from 'typebox';
import { instanceActorId } from '../../accounts/index.ts';
import { deleteAccountAsStaff } from '../../moderation/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { type AccountId, noId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { deleteJobs, listJobs, type JobState, type ListedJob } from '../../platform/work/manage-jobs.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { changeSiteSettings, type Staff } from '../../site/index.ts';

/** Accounts that one job deletes. Each is announced to every known server. */
const batchSize = 20;
/** Deliveries that may wait before more accounts are deleted: one for each account and server. */
const maxWaitingDeliveries = 50_000;

const batchPauseMs = 5_000;
const fullQueuePauseMs = 60_000;
const jobKey = 'self-destruct';
/** Numbers the batches, so that a job that is repeated stores the next one only once. */
const Batch = Type.Object({ batch: Type.Integer() });

/** How far the deletion of all local accounts is. */
export interface SelfDestructStatus {
  /** The state of the job that deletes accounts; null if it was not started, was stopped, or is done. */
  readonly job: JobState | null;
  /** Local accounts that are not deleted yet. */
  readonly accounts: number;
  /** Activities that other servers have not received yet. */
  readonly deliveries: number;
}

/** Deletes the next accounts, as fast as other servers accept the deletions, and stores itself for the rest. */
export const deleteNextAccounts = defineJob('instance.delete_next_accounts', Batch, async (app, { batch }) => {
  const isFull = (await countDeliveries(app, maxWaitingDeliveries)) === maxWaitingDeliveries;
  const accounts = isFull ? [] : await listAccounts(app);
  for (const accountId of accounts) await deleteAccountAsStaff(app, 'system', { accountId });
  if (!isFull && accounts.length < batchSize) return;
  const pauseMs = isFull ? fullQueuePauseMs : batchPauseMs;
  const runAt = new Date(app.clock.now().getTime() + pauseMs);
  await transaction(app, async (tx) => storeJob(tx, batch + 1, runAt));
});

const storeJob = ({ enqueue }: Transaction, batch: number, runAt: Date): void =>
  enqueue(deleteNextAccounts({ batch }, { key: jobKey, isUnique: true, runAt }));

/**
 * Closes registrations and starts to delete all local accounts, which tells other servers to delete their copies. Continues
 * a deletion that was stopped.
 */
export async function startSelfDestruct(app: App, staff: Staff): Promise<void> {
  await changeSiteSettings(app, staff, { registrations: 'closed' });
  const [job] = await findJob(app);
  await transaction(app, async (tx) => {
    await deleteJobs(tx, app, { name: deleteNextAccounts.job, after: noId });
    // A running job stores the next one itself.
    if (job?.state !== 'running') storeJob(tx, 1, app.clock.now());
    recordStaffAction(tx, staff, { target: 'instance', verb: 'start_self_destruct', label: app.config.domain });
  });
}

/**
 * Deletes the job. Accounts that were deleted stay deleted. Returns false if there is none, or it is running: it then stores
 * the next one, which the caller must stop again.
 */
export async function stopSelfDestruct(app: App, staff: Staff): Promise<boolean> {
  return transaction(app, async (tx) => {
    const stopped = await deleteJobs(tx, app, { name: deleteNextAccounts.job, after: noId });
    if (stopped.length === 0) return false;
    recordStaffAction(tx, staff, { target: 'instance', verb: 'stop_self_destruct', label: app.config.domain });
    return true;
  });
}

const findJob = (app: App): Promise<ListedJob[]> => listJobs(app, { name: deleteNextAccounts.job }, { limit: 1 });

/** Returns how much is left to do. */
export async function selfDestructStatus(app: App): Promise<SelfDestructStatus> {
  const [job] = await findJob(app);
  const { rows } = await sql<{ accounts: number }>`
    select count(*)::int as accounts from accounts
    where domain is null and deleted_at is null and id <> ${instanceActorId}::bigint`.execute(app.db);
  return { job: job?.state ?? null, accounts: rows[0]?.accounts ?? 0, deliveries: await countDeliveries(app) };
}

/** Counts the waiting deliveries, at most `max`. */
async function countDeliveries({ db }: App, max = Number.MAX_SAFE_INTEGER): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    select count(*)::int as deliveries from (select from deliveries limit ${max}::bigint) waiting`.execute(db);
  return rows[0]?.deliveries ?? 0;
}

async function listAccounts({ db }: App): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('domain', 'is', null)
    .where('deleted_at', 'is', null)
    .where('id', '<>', instanceActorId)
    .orderBy('id')
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}
