import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { writable, type ModerationRuleTrialId, type TrialSample } from '../tables.ts';

/** What one batch of posts brought. */
export interface TrialBatch {
  readonly examined: number;
  readonly matched: readonly TrialSample[];
  /** Id of the last post of the batch. */
  readonly belowId: StatusId;
  readonly isLast: boolean;
}

const maxSamples = 20;

/**
 * Adds a batch to a trial. No-op if the batch was added before, as when a job runs twice. Returns whether it was added.
 */
export async function storeTrialProgress(
  { db }: Transaction,
  app: App,
  { id, below_id: belowId }: { readonly id: ModerationRuleTrialId; readonly below_id: StatusId },
  batch: TrialBatch,
): Promise<boolean> {
  const row = await db
    .selectFrom('moderation_rule_trials')
    .select(['examined', 'matched', 'samples'])
    .where('id', '=', id)
    .where('below_id', '=', belowId)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  await writable(db)
    .updateTable('moderation_rule_trials')
    .set({
      examined: row.examined + batch.examined,
      matched: row.matched + batch.matched.length,
      samples: JSON.stringify([...row.samples, ...batch.matched].slice(0, maxSamples)),
      below_id: batch.belowId,
      finished_at: batch.isLast ? app.clock.now() : null,
    })
    .where('id', '=', id)
    .execute();
  return true;
}
