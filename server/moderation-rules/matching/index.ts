// Compares posts, sign-ups and follows with the enabled rules.
export { loadRules } from './rule-set.ts';
export { listLinks } from './list-links.ts';
export { recordMatches, recordRefusal, type MatchedTarget } from './record-matches.ts';
export { screen, type Verdict } from './screen.ts';
export type { Screened } from './screened.ts';
