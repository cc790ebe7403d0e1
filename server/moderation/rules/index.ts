// How staff undo what moderation rules did.
export { undoModerationRule } from './undo-rule.ts';
