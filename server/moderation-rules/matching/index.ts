// Compares posts, sign-ups and follows with the enabled rules.
export { compileRules, type CompiledRules } from './compile-rules.ts';
export { matchRules } from './match-rules.ts';
export { loadRules } from './rule-set.ts';
export { listLinks } from './list-links.ts';
export { recordMatches, recordRefusal, type MatchedTarget } from './record-matches.ts';
export { screen, type Verdict } from './screen.ts';
export type { Screened } from './screened.ts';
export { listMatchesToUndo, loadMatches, markUndone, storeEffects, type MatchWithRule } from './undo-matches.ts';
