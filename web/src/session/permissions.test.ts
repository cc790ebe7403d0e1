import { expect, test } from 'vitest';
import { includesOne } from './permissions.ts';

test('a role has what its bits say, and administrators have everything', () => {
  expect(includesOne('16', ['manage_reports'])).toBe(true);
  expect(includesOne('16', ['manage_users'])).toBe(false);
  expect(includesOne('16', ['manage_users', 'manage_reports'])).toBe(true);
  expect(includesOne('1', ['manage_webhooks'])).toBe(true);
  expect(includesOne('0', ['manage_reports'])).toBe(false);
});
