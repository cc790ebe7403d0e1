import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/**
 * Moderation rules that limit (`silence`) or report an account matched. `statusId`: the post, if it was stored.
 */
export const rulesMatched = defineEvent(
  'moderation_rule.matched',
  Type.Object({
    matchIds: Type.Array(idSchema<'row'>()),
    accountId: idSchema<'account'>(),
    statusId: Type.Optional(idSchema<'status'>()),
    silence: Type.Boolean(),
    report: Type.Boolean(),
  }),
);

/** Staff started a trial of a rule. */
export const ruleTrialStarted = defineEvent(
  'moderation_rule.trial_started',
  Type.Object({ trialId: idSchema<'moderation-rule-trial'>() }),
);

/** Staff added, changed or deleted a moderation rule. */
export const moderationRulesChanged = defineEvent(
  'moderation_rule.changed',
  Type.Object({ ruleId: idSchema<'moderation-rule'>() }),
);
