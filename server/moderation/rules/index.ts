// What moderation rules do to accounts, and how staff undo it.
export { applyRuleActions } from './apply-actions.ts';
export { ruleRoutes } from './routes.ts';
export { undoMatches, undoModerationRule } from './undo-rule.ts';
