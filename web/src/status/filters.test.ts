import { expect, test } from 'vitest';
import type { MatchedFilter } from '../api/entities.ts';
import { findFilters, isHidden } from './filters.ts';

const filter = (id: string, overrides: Partial<MatchedFilter> = {}): MatchedFilter => ({
  id,
  title: `Filter ${id}`,
  context: ['home'],
  expires_at: null,
  filter_action: 'warn',
  ...overrides,
});
const matching = (...filters: MatchedFilter[]) => ({
  filtered: filters.map((one) => ({ filter: one, keyword_matches: ['word'], status_matches: null })),
  reblog: null,
});

test('only filters of the context apply, each once', () => {
  const status = matching(filter('1'), filter('1'), filter('2', { context: ['thread', 'public'] }));
  expect(findFilters(status, 'home').map(({ id }) => id)).toEqual(['1']);
  expect(findFilters(status, 'public').map(({ id }) => id)).toEqual(['2']);
  expect(findFilters(status, 'account')).toEqual([]);
  expect(findFilters(status, undefined)).toEqual([]);
});

test('one filter that hides is enough', () => {
  const status = matching(filter('1'), filter('2', { filter_action: 'hide' }));
  expect(isHidden(findFilters(status, 'home'))).toBe(true);
  expect(isHidden(findFilters(matching(filter('1')), 'home'))).toBe(false);
});
