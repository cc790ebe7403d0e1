import { Type } from 'typebox';
import { defineEvent } from '../platform/events/define-event.ts';
import { idSchema } from '../platform/ids.ts';

/** Staff added, changed or deleted a moderation rule. */
export const moderationRulesChanged = defineEvent(
  'moderation_rule.changed',
  Type.Object({ ruleId: idSchema<'moderation-rule'>() }),
);
