import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { conflict, validationFailed } from '../../platform/http/http-errors.ts';
import { idFromDate, newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { ruleTrialStarted } from '../events.ts';
import { lockModerationRule } from '../manage/change-rules.ts';
import type { ModerationRuleTrial } from '../schema.ts';
import { writable, type ModerationRuleId } from '../tables.ts';
import { presentTrial } from './find-trials.ts';

const dayMs = 86_400_000;
/** Trials of a rule that are kept. */
const maxTrials = 20;

/**
 * Starts to compare a rule with the posts of the last days, in the background and without any action. Throws 404 for an
 * unknown rule, 409 while another trial of it runs, 422 for a rule that is not about posts.
 */
export async function startRuleTrial(
  app: App,
  staff: Staff,
  { id: ruleId, days }: { readonly id: ModerationRuleId; readonly days: number },
): Promise<ModerationRuleTrial> {
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const { title, subject, origin, conditions } = await lockModerationRule(tx, ruleId);
    if (subject !== 'post') throw validationFailed('moderationRules.onlyPostsTried');
    const earlier = await tx.db
      .selectFrom('moderation_rule_trials')
      .select(['id', 'finished_at'])
      .where('rule_id', '=', ruleId)
      .orderBy('id', 'desc')
      .execute();
    if (earlier.some(({ finished_at: finished }) => finished === null)) throw conflict('moderationRules.trialRuns');
    const outdated = earlier.slice(maxTrials - 1).map(({ id }) => id);
    if (outdated.length > 0)
      await writable(tx.db).deleteFrom('moderation_rule_trials').where('id', 'in', outdated).execute();
    const row = await writable(tx.db)
      .insertInto('moderation_rule_trials')
      .values({
        id: newId<'moderation-rule-trial'>(now),
        rule_id: ruleId,
        origin,
        conditions: JSON.stringify(conditions),
        since: new Date(now.getTime() - days * dayMs),
        below_id: idFromDate<'status'>(new Date(now.getTime() + 1)),
        examined: 0,
        matched: 0,
        samples: '[]',
        created_at: now,
        finished_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    tx.emit(ruleTrialStarted({ trialId: row.id }));
    recordStaffAction(tx, staff, {
      target: 'moderation_rule',
      verb: 'try',
      id: ruleId,
      label: title,
      after: { days },
    });
    return presentTrial(row);
  });
}
