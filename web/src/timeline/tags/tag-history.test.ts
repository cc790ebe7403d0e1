import { expect, test } from 'vitest';
import { linePoints, recentPeople } from './tag-history.ts';

test('linePoints scales to the largest value', () => {
  expect(linePoints([0, 2, 4], { width: 10, height: 8 })).toBe('0.0,8.0 5.0,4.0 10.0,0.0');
});

test('linePoints of unused days is a line at the bottom', () => {
  expect(linePoints([0, 0], { width: 10, height: 8 })).toBe('0.0,8.0 10.0,8.0');
});

test('recentPeople counts today and yesterday', () => {
  const day = (accounts: string) => ({ day: '0', uses: '9', accounts });
  expect(recentPeople([day('3'), day('4'), day('100')])).toBe(7);
});
