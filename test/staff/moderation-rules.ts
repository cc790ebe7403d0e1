import { createModerationRule, type ModerationRuleInput } from '../../server/moderation-rules/manage/index.ts';
import type { TestServer } from '../server.ts';

/** Adds an enabled rule that refuses local posts with the word casino, unless given otherwise. */
export const addRule = ({ app }: TestServer, input: ModerationRuleInput = {}) =>
  createModerationRule(app, 'system', {
    title: 'Casino',
    enabled: true,
    actions: ['reject'],
    ...input,
    conditions: input.conditions ?? { text: { keywords: ['casino'] } },
  });
