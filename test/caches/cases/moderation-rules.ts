import { moderationRulesChanged } from '../../../server/moderation-rules/index.ts';
import { loadRules } from '../../../server/moderation-rules/matching/index.ts';
import { addRule } from '../../staff/moderation-rules.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: readonly EvictionCase[] = [
  {
    cache: 'moderation-rules.rule_set',
    event: moderationRulesChanged.event,
    prepare: async (server) => {
      const { id } = await addRule(server);
      return {
        read: async () => (await loadRules(server.app, 'post', true))?.rules.length ?? 0,
        change: () => server.db.updateTable('moderation_rules').set({ enabled: false }).execute(),
        emitted: moderationRulesChanged({ ruleId: id }),
      };
    },
  },
];
