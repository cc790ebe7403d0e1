import { expect, test } from 'vitest';
import { compareIds } from './compare-ids.ts';

test('ids are compared as numbers', () => {
  expect(['9', '10', '100', '99'].toSorted(compareIds)).toEqual(['9', '10', '99', '100']);
  expect(['100', '99', '101'].toSorted(compareIds)).toEqual(['99', '100', '101']);
  expect(compareIds('116000000000000001', '116000000000000001')).toBe(0);
});
