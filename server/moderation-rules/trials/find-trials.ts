import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import { requireModerationRule } from '../manage/find-rules.ts';
import type { ModerationRuleTrial } from '../schema.ts';
import type { ModerationRuleId, ModerationRuleTrialId, RuleTrialRow } from '../tables.ts';

const trials = pagedQuery<RuleTrialRow>()<{ ruleId: ModerationRuleId }>((db, args, order) =>
  selectPage(db.selectFrom('moderation_rule_trials').selectAll().where('rule_id', '=', args.ruleId), args, order),
);

/** Returns a page of the trials of a rule, newest first. Throws 404 for an unknown rule. */
export async function listRuleTrials(
  app: App,
  ruleId: ModerationRuleId,
  page: Page,
): Promise<{ readonly trials: ModerationRuleTrial[] } & PageEnds> {
  await requireModerationRule(app, ruleId);
  const rows = await trials(app, page, { ruleId });
  return { trials: rows.map(presentTrial), ...pageEnds(page, rows) };
}

/** Returns a trial; undefined if there is none with this id. */
export const findTrial = ({ db }: App, id: ModerationRuleTrialId): Promise<RuleTrialRow | undefined> =>
  db.selectFrom('moderation_rule_trials').selectAll().where('id', '=', id).executeTakeFirst();

export const presentTrial = ({
  below_id: _belowId,
  since,
  created_at: created,
  finished_at: finished,
  ...row
}: RuleTrialRow): ModerationRuleTrial => ({
  ...row,
  since: since.toISOString(),
  created_at: created.toISOString(),
  finished_at: finished?.toISOString() ?? null,
});
