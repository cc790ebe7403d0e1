// The rules of the server.
export { addRule, deleteRule, editRule } from './change-rules.ts';
export { moveRule } from './move-rule.ts';
export { findRules, listRules, type CurrentRule, type SiteRule } from './list-rules.ts';
export { deleteRuleTranslation, translateRule } from './translate-rules.ts';
export { Rule } from './schema.ts';
