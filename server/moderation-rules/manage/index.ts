// Moderation rules as staff manage them.
export {
  createModerationRule,
  deleteModerationRule,
  lockModerationRule,
  updateModerationRule,
} from './change-rules.ts';
export { listModerationRules, listRuleMatches, requireModerationRule } from './find-rules.ts';
export type { ModerationRuleInput } from './parse-rule.ts';
