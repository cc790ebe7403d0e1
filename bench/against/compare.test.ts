import { expect, test } from 'vitest';
import { compareRow, isFastEnough, meanRatio, renderComparison } from './compare.ts';

const row = (name: string, ratios: readonly number[]) =>
  compareRow({ name, rounds: ratios.map((ratio, round) => ({ oldMs: 1 + round, newMs: (1 + round) * ratio })) });

test('a row is compared round by round, by the median of its ratios and their quartiles', () => {
  const compared = row('home', [1.2, 1, 1.1, 3, 0.9]);
  expect(compared.ratio).toBeCloseTo(1.1);
  expect(compared.quartiles[0]).toBeCloseTo(1);
  expect(compared.quartiles[1]).toBeCloseTo(1.2);
  expect(compared.oldMs).toBe(3);
  expect(row('home', [1, 1.2]).ratio).toBeCloseTo(1.1);
});

test('all rows are compared by the geometric mean', () => {
  expect(meanRatio([row('a', [0.5]), row('b', [2])])).toBeCloseTo(1);
});

test('a checkout is slower if a row is above 1.05, or all rows together above 1.02', () => {
  expect(isFastEnough([row('a', [1.05]), row('b', [0.98])])).toBe(true);
  expect(isFastEnough([row('a', [1.06]), row('b', [0.5])])).toBe(false);
  expect(isFastEnough([row('a', [1.03]), row('b', [1.03])])).toBe(false);
});

test('the table marks slow rows, and ends with the mean', () => {
  const lines = renderComparison([row('home', [1]), row('favourite', [1.1])]).split('\n');
  expect(lines).toContain('| home | 1.000 | 1.000 | 1.000 | 1.00–1.00 |  |');
  expect(lines).toContain('| favourite | 1.000 | 1.100 | 1.100 | 1.10–1.10 | slower |');
  expect(lines).toContain('- Rows above 1.05: 1 of 2.');
  expect(lines).toContain('- Geometric mean of all rows: 1.049; it may be 1.02.');
});
