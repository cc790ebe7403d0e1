import { instanceActorId } from '../../accounts/index.ts';
import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import { rulesMatched } from '../../moderation-rules/index.ts';
import { loadMatches, storeEffects } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { AccountId, RowId, StatusId } from '../../platform/ids.ts';
import { storeReport, type ReportId } from '../../reports/index.ts';
import { silenceAccount } from '../actions/limit-account.ts';

/** Limits or reports the account that a rule matched. Idempotent: what was done is stored with the match. */
export const applyRuleActions = later('default', [rulesMatched], {
  name: 'moderation.apply_rule_actions',
  async run(app, { matchIds, accountId, statusId, report, silence }) {
    // First, because a decision about an account resolves its reports.
    if (silence) await silenceForMatches(app, matchIds, accountId);
    if (report) await reportMatches(app, matchIds, { accountId, statusId });
  },
});

async function reportMatches(
  app: App,
  matchIds: readonly RowId[],
  { accountId, statusId }: { readonly accountId: AccountId; readonly statusId?: StatusId | undefined },
): Promise<void> {
  await ensureInstanceActor(app);
  await transaction(app, async (tx) => {
    for (const match of await loadMatches(tx, matchIds)) {
      if (!match.actions.includes('report') || match.effects.report_id !== undefined) continue;
      const reportId = await reportOnce(tx, app, { accountId, statusId, rule: match.title });
      await storeEffects(tx, match.id, { report_id: reportId });
    }
  });
}

/** Returns the open report of a rule about an account, or creates it: a flood of matches is one report. */
async function reportOnce(
  tx: Transaction,
  app: App,
  { accountId, statusId, rule }: { accountId: AccountId; statusId: StatusId | undefined; rule: string },
): Promise<ReportId> {
  // Serializes the reports about an account.
  await tx.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const open = await tx.db
    .selectFrom('reports')
    .select('id')
    .where('target_account_id', '=', accountId)
    .where('account_id', '=', instanceActorId)
    .where('comment', '=', rule)
    .where('action_taken_at', 'is', null)
    .executeTakeFirst();
  if (open !== undefined) return open.id;
  return storeReport(tx, app, {
    accountId: instanceActorId,
    targetAccountId: accountId,
    domain: null,
    uri: null,
    category: 'other',
    comment: rule,
    ruleIds: null,
    statusIds: statusId === undefined ? [] : [statusId],
    collectionIds: [],
    forwardDomains: [],
    forwarded: false,
  });
}

/** Limits the account. First stores whether it was limited before, so that undoing the rule restores that. */
async function silenceForMatches(app: App, matchIds: readonly RowId[], accountId: AccountId): Promise<void> {
  if (!(await transaction(app, (tx) => storeStateBefore(tx, matchIds, accountId)))) return;
  try {
    // Two matches can arrive here at once; the second must not resolve the report of the first.
    await silenceAccount(app, 'system', { accountId, notify: true, onlyIfNew: true });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    app.log.info({ err: error, accountId }, 'a moderation rule could not limit an account');
  }
}

/** Returns whether the account is still to be limited. */
async function storeStateBefore(tx: Transaction, matchIds: readonly RowId[], accountId: AccountId): Promise<boolean> {
  const account = await tx.db
    .selectFrom('accounts')
    .select('silenced_at')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const isOpen = account !== undefined && account.silenced_at === null;
  for (const { id, actions, effects } of await loadMatches(tx, matchIds)) {
    if (actions.includes('silence') && effects.was_silenced === undefined)
      await storeEffects(tx, id, { was_silenced: !isOpen });
  }
  return isOpen;
}
