import { expect, test } from 'vitest';
import {
  combineAttempts,
  describeAttempts,
  filesToRepeat,
  formatResult,
  hasFailed,
  type Attempt,
  type Outcome,
} from '../../bin/test-outcomes.mjs';

const file = 'test/web/columns.test.ts';

/** Returns an attempt with tests of one file, and what its hooks did. */
function attempt(
  tests: Record<string, Outcome['state']>,
  { hooks = 'passed', others = [] }: { hooks?: 'passed' | 'failed'; others?: string[] } = {},
): Attempt {
  const named = (name: string, state: Outcome['state'], isTest: boolean): Outcome => ({
    id: name,
    file,
    name,
    isTest,
    state,
  });
  const outcomes = Object.entries(tests).map(([name, state]) => named(name, state, true));
  return { outcomes: [named('hooks', hooks, false), ...outcomes], others };
}

test('files that failed are run once more, unless they are many or something else failed', () => {
  const failed = attempt({ a: 'failed', b: 'failed', c: 'passed' });
  expect(filesToRepeat(failed)).toEqual([file]);
  expect(filesToRepeat({ ...failed, others: ['Routes without a test'] })).toEqual([]);
  const failedFiles = (count: number): Outcome[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `${index}`,
      file: `test/ops/${index}.test.ts`,
      name: `${index}`,
      isTest: true,
      state: 'failed',
    }));
  expect(filesToRepeat({ ...failed, outcomes: failedFiles(6) })).toHaveLength(6);
  expect(filesToRepeat({ ...failed, outcomes: failedFiles(7) })).toEqual([]);
  expect(filesToRepeat(attempt({ a: 'passed' }, { hooks: 'failed' }))).toEqual([file]);
  expect(filesToRepeat(attempt({ a: 'passed', b: 'skipped' }))).toEqual([]);
});

test('what passes in one of two attempts has passed', () => {
  const first = attempt({ a: 'failed', b: 'passed', c: 'passed', d: 'skipped' });
  const second = attempt({ a: 'passed', b: 'failed', c: 'passed', d: 'skipped' });
  const combined = combineAttempts(first, second);
  expect(hasFailed(combined)).toBe(false);
  expect(formatResult(combined)).toBe('3 passed, 0 failed, 1 skipped');
  expect(describeAttempts(first, second)).toEqual([
    'Passed only in the second attempt, which has a reason in the test or in the product:',
    '  a',
    'Failed only in the second attempt, so they count as passed:',
    '  b',
  ]);
});

test('what passes in no attempt has failed', () => {
  const first = attempt({ a: 'failed', b: 'passed' });
  for (const second of [
    attempt({ a: 'failed', b: 'passed' }),
    // A hook, or the end of the process, kept it from running again.
    attempt({ a: 'skipped', b: 'skipped' }, { hooks: 'failed' }),
    attempt({ b: 'passed' }),
  ]) {
    const combined = combineAttempts(first, second);
    expect(hasFailed(combined)).toBe(true);
    expect(formatResult(combined)).toBe('1 passed, 1 failed');
    expect(describeAttempts(first, second).slice(-2)).toEqual(['Passed in no attempt:', '  a']);
  }
});

test('a test that a hook kept from running in the first attempt must pass in the second', () => {
  const first = attempt({ a: 'skipped', b: 'skipped' }, { hooks: 'failed' });
  expect(hasFailed(combineAttempts(first, attempt({ a: 'passed', b: 'passed' })))).toBe(false);
  expect(hasFailed(combineAttempts(first, attempt({ a: 'passed', b: 'failed' })))).toBe(true);
  const twice = combineAttempts(first, attempt({ a: 'skipped', b: 'skipped' }, { hooks: 'failed' }));
  expect(formatResult(twice)).toBe('0 passed, 1 failed, 2 skipped');
});

test('an error outside of tests in the second attempt decides', () => {
  const second = attempt({ a: 'passed' }, { others: ['Errors outside of tests'] });
  const combined = combineAttempts(attempt({ a: 'failed' }), second);
  expect(hasFailed(combined)).toBe(true);
  expect(formatResult(combined)).toBe('1 passed, 1 failed');
  expect(describeAttempts(attempt({ a: 'failed' }), second)).toContain('  Errors outside of tests');
});
