import { expect, test } from 'vitest';
import type { ModerationRule } from '../../api/entities.ts';
import { toConditions, toRuleValues } from './rule-conditions.ts';

const rule: ModerationRule = {
  id: '1',
  title: 'Pills',
  enabled: false,
  subject: 'post',
  origin: 'any',
  conditions: { text: { keywords: ['pills'], whole_word: true }, links: { at_least: 2 } },
  actions: ['hold'],
  score: 100,
  created_at: '',
  updated_at: '',
};

test('a rule keeps its conditions through its form, and empty ones are left out', () => {
  const values = toRuleValues(rule);
  const numbers = { links_at_least: 2, score: 100 };
  const empty = Object.entries(values).filter(([, value]) => value === '');
  const body = { ...values, ...numbers };
  for (const [name] of empty) Reflect.deleteProperty(body, name);
  expect(toConditions(body)).toEqual({
    title: 'Pills',
    subject: 'post',
    origin: 'any',
    actions: ['hold'],
    score: 100,
    conditions: rule.conditions,
  });
});
