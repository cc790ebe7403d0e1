import type { RuleMatchRow } from '../../moderation-rules/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { type AccountId, isId, type StatusId } from '../../platform/ids.ts';
import { acceptFollowRequest } from '../../relationships/follow/index.ts';
import { resolveReports } from '../../reports/index.ts';
import { unmarkSensitive } from '../../statuses/screening/index.ts';
import { unsilenceAccount } from '../actions/lift-limits.ts';
import { approveSignUp } from '../approve-sign-up.ts';
import { approveHeldPost } from '../held-posts/decide.ts';

/** Undoes what a rule did to one account or post. Returns false if there was nothing to undo. */
export async function undoMatch(app: App, match: RuleMatchRow): Promise<boolean> {
  const { account_id: accountId, target_type: type, target_id: targetId, actions, effects } = match;
  if (accountId === null) return false;
  let isUndone = false;
  if (type === 'held_post' && targetId !== null && actions.includes('hold')) isUndone = await publish(app, targetId);
  if (type === 'status' && targetId !== null && effects.sensitive === true) {
    await transaction(app, (tx) => unmarkSensitive(tx, targetId));
    isUndone = true;
  }
  if (effects.held === true && type === 'user') isUndone = await approveSignUp(app, 'system', { accountId });
  if (effects.held === true && type === 'follow' && targetId !== null)
    isUndone = await acceptFollowRequest(app, targetId, accountId);
  const { report_id: reportId } = effects;
  if (reportId !== undefined && isId(reportId)) {
    await transaction(app, (tx) => resolveReports(tx, app, 'system', { targetAccountId: accountId, reportId }));
    isUndone = true;
  }
  if (effects.was_silenced === false && (await maySilenceEnd(app, match, accountId)))
    isUndone = (await unsilenceAccount(app, 'system', { accountId })) || isUndone;
  return isUndone;
}

async function publish(app: App, id: StatusId): Promise<boolean> {
  try {
    await approveHeldPost(app, 'system', id);
    return true;
  } catch (error) {
    // It was decided or withdrawn.
    if (error instanceof HttpError && (error.status === 409 || error.status === 404)) return false;
    throw error;
  }
}

/** Whether neither another rule nor staff limit the account too. */
function maySilenceEnd(app: App, match: RuleMatchRow, accountId: AccountId): Promise<boolean> {
  return transaction(
    app,
    async (tx) => !(await hasOtherRule(tx, match, accountId)) && !(await isByStaff(tx, accountId)),
  );
}

async function hasOtherRule({ db }: Transaction, match: RuleMatchRow, accountId: AccountId): Promise<boolean> {
  const rows = await db
    .selectFrom('moderation_rule_matches')
    .select(['actions'])
    .where('account_id', '=', accountId)
    .where('rule_id', '<>', match.rule_id)
    .where('undone_at', 'is', null)
    .execute();
  return rows.some(({ actions }) => actions.includes('silence'));
}

async function isByStaff({ db }: Transaction, accountId: AccountId): Promise<boolean> {
  const strike = await db
    .selectFrom('account_warnings')
    .select('id')
    .where('account_id', '=', accountId)
    .where('action', '=', 'silence')
    .where('staff_id', 'is not', null)
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  return strike !== undefined;
}
