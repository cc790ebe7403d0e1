import { expect, test } from 'vitest';
import type { StatusId } from '../platform/ids.ts';
import { groupKey, groupPrefix } from './group-key.ts';

const hour = (count: number) => new Date(count * 3_600_000);

test('favourites and boosts are grouped by post, follows and sign-ups together, and other notifications not at all', () => {
  const id = '7' as StatusId;
  expect(groupPrefix('favourite', id)).toBe('favourite-7-');
  expect(groupPrefix('reblog', id)).toBe('reblog-7-');
  expect(groupPrefix('follow', undefined)).toBe('follow-');
  expect(groupPrefix('admin.sign_up', undefined)).toBe('admin.sign_up-');
  expect(groupPrefix('mention', id)).toBeUndefined();
  expect(groupPrefix('follow_request', undefined)).toBeUndefined();
});

test('a group spans twelve hours from its first notification', () => {
  expect(groupKey('follow-', null, hour(500_000))).toBe('follow-500000');
  expect(groupKey('follow-', 'follow-500000', hour(500_011))).toBe('follow-500000');
  expect(groupKey('follow-', 'follow-500000', hour(500_012))).toBe('follow-500012');
});
