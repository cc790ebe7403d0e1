import type { App } from '../../platform/app.ts';
import { scoreLimit } from '../manage/parse-rule.ts';
import type { RuleAction } from '../tables.ts';
import type { CompiledRules, EnabledRule } from './compile-rules.ts';
import { matchRules } from './match-rules.ts';
import type { Screened } from './screened.ts';

/** What the rules decided. */
export interface Verdict {
  readonly actions: ReadonlySet<RuleAction>;
  /** The rules that led to an action. */
  readonly rules: readonly EnabledRule[];
  /** Whether it was not sensitive before the rules marked it. */
  readonly marksSensitive?: boolean;
}

/** Compares something with the rules for it. Returns undefined if they take no action. */
export async function screen(app: App, rules: CompiledRules, screened: Screened): Promise<Verdict | undefined> {
  return decide(await matchRules(rules, screened, app.clock.now()));
}

/** Returns the actions for which the scores of the matching rules add up; undefined without any. */
export function decide(rules: readonly EnabledRule[]): Verdict | undefined {
  const scores = new Map<RuleAction, number>();
  for (const { actions, score } of rules)
    for (const action of actions) scores.set(action, (scores.get(action) ?? 0) + score);
  const taken = [...scores].flatMap(([action, score]) => (score >= scoreLimit ? [action] : []));
  if (taken.length === 0) return undefined;
  const actions = new Set(taken);
  return { actions, rules: rules.filter((rule) => rule.actions.some((action) => actions.has(action))) };
}
