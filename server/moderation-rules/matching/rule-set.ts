import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { moderationRulesChanged } from '../events.ts';
import type { RuleSubjectKind } from '../tables.ts';
import { compileRules, type CompiledRules, type EnabledRule } from './compile-rules.ts';

/** The enabled rules by `subject local` or `subject remote`; without an entry there are none. */
type RuleSet = ReadonlyMap<string, CompiledRules>;

const keyOf = (subject: RuleSubjectKind, local: boolean): string => `${subject} ${local ? 'local' : 'remote'}`;

const enabledRules = preparedQuery<EnabledRule>()((db) =>
  db
    .selectFrom('moderation_rules')
    .select(['id', 'title', 'subject', 'origin', 'conditions', 'actions', 'score'])
    .where('enabled', '=', true)
    .orderBy('id'),
);

export const ruleSetCache = new LoadingCache<'rules', RuleSet>({
  name: 'moderation-rules.rule_set',
  maxSize: 1,
  ttlMs: 600_000,
  load: async (app) => compileRuleSet(await enabledRules(app, {})),
  evictOn: [evictAll(moderationRulesChanged)],
});

function compileRuleSet(rows: readonly EnabledRule[]): RuleSet {
  const set = new Map<string, CompiledRules>();
  for (const [subject, rules] of Map.groupBy(rows, (rule) => rule.subject)) {
    for (const local of [true, false]) {
      const compiled = compileRules(rules.filter(({ origin }) => origin === 'any' || (origin === 'local') === local));
      if (compiled !== undefined) set.set(keyOf(subject, local), compiled);
    }
  }
  return set;
}

/** Returns the enabled rules for a kind of subject; undefined if there are none. No query while they are cached. */
export async function loadRules(
  app: App,
  subject: RuleSubjectKind,
  local: boolean,
): Promise<CompiledRules | undefined> {
  const set = ruleSetCache.peek(app, 'rules') ?? (await ruleSetCache.get(app, 'rules'));
  return set.get(keyOf(subject, local));
}
