// The rules of the server.
export { addRule, deleteRule, editRule } from './change-rules.ts';
export { findRules, listRules, type SiteRule } from './list-rules.ts';
export { deleteRuleTranslation, translateRule } from './translate-rules.ts';
export { Rule } from './schema.ts';
