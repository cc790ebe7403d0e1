import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { forbidden, unprocessable } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { quotePolicyFromSetting } from '../../quotes/policy/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import type { QuotePolicy } from '../../users/index.ts';
import { quotePolicyChanged, statusChanged } from '../events.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { plainVisibility } from '../visibility/visibility.ts';
import { writable } from '../tables.ts';

/** New policies of a status. */
export interface PolicyChanges {
  readonly quotePolicy?: QuotePolicy | undefined;
  /** Encoded by `encodeInteractionPolicy`; null: everyone is permitted. */
  readonly interactionPolicy?: number | null;
}

/**
 * Changes who may quote, favourite, reply to and reblog a status of the local account `accountId`. Without any change, the
 * account's default for quotes is set. This is no edit, and earlier quotes and interactions stay. Throws 404 if the
 * account may not see the status, 403 if it is not the author, 422 for a reblog.
 */
export async function changePolicies(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
  changes: PolicyChanges,
): Promise<void> {
  const status = await requireVisibleStatus(app, accountId, statusId);
  if (status.accountId !== accountId) throw forbidden();
  if (status.reblogOfId !== null) throw unprocessable('statuses.quoteBoost');
  const quotePolicy = await chooseQuotePolicy(app, status, changes);
  const interactionPolicy =
    changes.interactionPolicy === undefined ? status.interactionPolicy : changes.interactionPolicy;
  await transaction(app, async (tx) => {
    const { numUpdatedRows } = await writable(tx.db)
      .updateTable('statuses')
      .set({ quote_policy: quotePolicy, interaction_policy: interactionPolicy })
      .where('id', '=', statusId)
      .where(
        sql<boolean>`(quote_policy, interaction_policy) is distinct from (${quotePolicy}::int, ${interactionPolicy}::int)`,
      )
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    tx.emit(statusChanged({ statusId }));
    tx.emit(quotePolicyChanged({ statusId, accountId, local: true }));
  });
}

async function chooseQuotePolicy(
  app: App,
  { accountId, visibility, quotePolicy: current }: CachedStatus,
  { quotePolicy, interactionPolicy }: PolicyChanges,
): Promise<number> {
  if (quotePolicy === undefined && interactionPolicy !== undefined) return current;
  const choice = quotePolicy ?? (await loadUserSettings(app, accountId)).default_quote_policy;
  return quotePolicyFromSetting(choice, plainVisibility(visibility));
}
