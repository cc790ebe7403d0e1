import { sql } from 'kysely';
import { setStatusCard } from '../../cards/index.ts';
import type { App } from '../../platform/app.ts';
import { idFromDate, minId, type StatusId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { statusChanged } from '../events.ts';

/** Posts per transaction. */
const batchSize = 200;
const dayMs = 86_400_000;

export interface CardRemoval {
  /** Minimum age of the posts. */
  readonly days: number;
  /** Whether local posts lose their cards, too. */
  readonly includeLocal?: boolean | undefined;
  /** Only counts. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Removes the cards of old posts, which keep their links, in batches. Cards that no post shows any more are deleted by the
 * daily clean-up. Returns the number of posts.
 */
export async function removeCards(
  app: App,
  staff: Staff,
  { days, includeLocal = false, dryRun = false }: CardRemoval,
): Promise<number> {
  const cutoff = idFromDate<'status'>(new Date(app.clock.now().getTime() - days * dayMs));
  if (!dryRun)
    await transaction(app, async (tx) =>
      recordStaffAction(tx, staff, { target: 'status', verb: 'remove_cards', label: `older than ${days} days` }),
    );
  let total = 0;
  for (let after: StatusId | undefined = minId; after !== undefined;) {
    const ids = await listStatuses(app, { after, cutoff, includeLocal });
    if (!dryRun) await removeFrom(app, ids);
    total += ids.length;
    after = ids.length < batchSize ? undefined : ids.at(-1);
  }
  return total;
}

async function listStatuses(
  { db }: App,
  { after, cutoff, includeLocal }: { after: StatusId; cutoff: StatusId; includeLocal: boolean },
): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId }>`
    select card.status_id as id from status_cards card join statuses status on status.id = card.status_id
    where card.status_id > ${after}::bigint and card.status_id < ${cutoff}::bigint and (${includeLocal} or not status.local)
    order by card.status_id limit ${batchSize}`.execute(db);
  return rows.map(({ id }) => id);
}

const removeFrom = (app: App, ids: readonly StatusId[]): Promise<void> =>
  transaction(app, async (tx) => {
    for (const statusId of ids) {
      if (await setStatusCard(tx, statusId, null)) tx.emit(statusChanged({ statusId }));
    }
  });
