import { sql, type RawBuilder } from 'kysely';
import { forgetOutboxReads } from '../../accounts/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { dateFromId, minId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { purgeRemoteStatuses } from '../../statuses/remote/index.ts';
import { deleteFeedEntries } from '../../timelines/index.ts';
import { findNeededStatuses, retentionRule, type RetentionRule } from './find-needed-statuses.ts';

/** Statuses per transaction. */
const batchSize = 500;
const dayMs = 86_400_000;
const beforeAll = minId;

export interface RemovalOptions {
  /** Minimum age. */
  readonly days: number;
  /** Whether statuses of accounts that local users follow may be removed too. */
  readonly cleanFollowed?: boolean | undefined;
  /** Only counts. */
  readonly dryRun?: boolean | undefined;
  /** Receives the share that is done, from 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined;
}

/** Public and unlisted remote statuses of that age, and those among them that were removed or would be. */
export interface RemovalResult {
  readonly examined: number;
  readonly removed: number;
}

/**
 * Deletes old public and unlisted remote statuses that no local user needs, oldest first, in batches. They are fetched again
 * when they are opened. May be stopped and started again, beside a running server.
 */
export async function removeOldStatuses(
  app: App,
  staff: Staff,
  { days, cleanFollowed = false, dryRun = false, progress }: RemovalOptions,
): Promise<RemovalResult> {
  const before = new Date(app.clock.now().getTime() - days * dayMs);
  const rule = retentionRule(app, days, { cleanFollowed });
  if (!dryRun) await recordRemoval(app, staff, { days, before, cleanFollowed });
  let [examined, removed] = [0, 0];
  let oldest: number | undefined;
  for (let after: StatusId | undefined = beforeAll; after !== undefined;) {
    const batch: StatusBatch = await removeStatusBatch(app, after, { ...rule, dryRun });
    examined += batch.examined;
    removed += batch.removed;
    after = batch.last;
    if (after === undefined) break;
    oldest ??= dateFromId(after).getTime();
    progress?.((dateFromId(after).getTime() - oldest) / Math.max(before.getTime() - oldest, 1));
  }
  return { examined, removed };
}

/** What `removeStatusBatch` did. */
export interface StatusBatch extends RemovalResult {
  /** The status that was examined last; undefined if there are no more. */
  readonly last: StatusId | undefined;
}

/** Deletes those that no local user needs of the next 500 old statuses after an id, or only counts them. */
export async function removeStatusBatch(
  app: App,
  after: StatusId,
  { dryRun = false, ...rule }: RetentionRule & Pick<RemovalOptions, 'dryRun'>,
): Promise<StatusBatch> {
  const ids = await listCandidates(app, after, rule);
  const removed = dryRun ? await countRemovable(app, ids, rule) : await removeBatch(app, ids, rule);
  return { examined: ids.length, removed, last: ids.at(-1) };
}

function recordRemoval(
  app: App,
  staff: Staff,
  { days, before, cleanFollowed }: { readonly days: number; readonly before: Date; readonly cleanFollowed: boolean },
): Promise<void> {
  return transaction(app, async (tx) =>
    recordStaffAction(tx, staff, {
      target: 'status',
      verb: 'remove_remote',
      label: `older than ${days} days`,
      after: { before: before.toISOString(), clean_followed: cleanFollowed },
    }),
  );
}

/** SQL: whether a status is old and could be fetched again; remote ones for followers or for single people could not. */
export const isRemovableStatus = ({ cutoff }: RetentionRule): RawBuilder<boolean> =>
  sql<boolean>`id < ${cutoff}::bigint and not local and deleted_at is null and visibility in ('public', 'unlisted')`;

async function listCandidates({ db }: App, after: StatusId, rule: RetentionRule): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId }>`
    select id from statuses where id > ${after}::bigint and ${isRemovableStatus(rule)}
    order by id limit ${batchSize}`.execute(db);
  return rows.map(({ id }) => id);
}

async function countRemovable(app: App, ids: readonly StatusId[], rule: RetentionRule): Promise<number> {
  return ids.length - (await findNeededStatuses(app.db, ids, rule)).size;
}

/**
 * Locks the statuses first: what a user does with one of them from then on waits, and finds it deleted. Their profiles are
 * read again from their servers when someone views them.
 */
function removeBatch(app: App, ids: readonly StatusId[], rule: RetentionRule): Promise<number> {
  return transaction(app, async (tx) => {
    const { rows: locked } = await sql<{ id: StatusId; accountId: AccountId }>`
      select id, account_id as "accountId" from statuses where id = any(${ids}::bigint[]) and deleted_at is null
      order by id for update skip locked`.execute(tx.db);
    const needed = await findNeededStatuses(
      tx.db,
      locked.map(({ id }) => id),
      rule,
    );
    const removable = locked.filter(({ id }) => !needed.has(id));
    const purged = await purgeRemoteStatuses(
      tx,
      removable.map(({ id }) => id),
    );
    await deleteFeedEntries(tx, purged);
    await forgetOutboxReads(tx, [...new Set(removable.map(({ accountId }) => accountId))]);
    return removable.length;
  });
}
