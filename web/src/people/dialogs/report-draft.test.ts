import { expect, test } from 'vitest';
import { emptyDraft, isStepComplete, stepsOf, toReportInput } from './report-draft.ts';

test('only a report of broken rules asks which ones', () => {
  expect(stepsOf(emptyDraft([]))).toEqual(['category', 'posts', 'comment']);
  expect(stepsOf({ ...emptyDraft([]), category: 'violation' })).toEqual(['category', 'rules', 'posts', 'comment']);
});

test('a category is necessary, and at least one rule', () => {
  const draft = emptyDraft(['1']);
  expect(isStepComplete('category', draft)).toBe(false);
  expect(isStepComplete('category', { ...draft, category: 'spam' })).toBe(true);
  expect(isStepComplete('rules', { ...draft, category: 'violation' })).toBe(false);
  expect(isStepComplete('rules', { ...draft, category: 'violation', ruleIds: ['1'] })).toBe(true);
  expect(isStepComplete('posts', draft)).toBe(true);
});

test('rules that were chosen before another category are not sent', () => {
  const draft = { ...emptyDraft(['7']), category: 'spam' as const, ruleIds: ['1'], comment: 'x' };
  expect(toReportInput('5', draft)).toEqual({
    account_id: '5',
    category: 'spam',
    rule_ids: [],
    status_ids: ['7'],
    collection_ids: [],
    comment: 'x',
    forward: false,
  });
});
