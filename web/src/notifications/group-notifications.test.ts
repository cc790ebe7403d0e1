import { describe, expect, test } from 'vitest';
import type { Notification } from '../api/entities.ts';
import { addNotification, appendGroups } from './group-notifications.ts';

const notification = (id: string, key: string, accountId: string): Notification =>
  ({
    id,
    type: 'favourite',
    group_key: key,
    created_at: '2026-11-23T00:00:00Z',
    account: { id: accountId },
  }) as Notification;

describe('addNotification', () => {
  test('moves a known group to the top and counts its new sender', () => {
    const groups = [notification('1', 'a', '10'), notification('2', 'b', '11'), notification('3', 'a', '12')].reduce(
      addNotification,
      [] as ReturnType<typeof addNotification>,
    );
    expect(groups.map(({ key, count }) => [key, count])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(groups[0]?.senderIds).toEqual(['12', '10']);
    expect(groups[0]?.newestId).toBe('3');
  });

  test('ignores a notification that its group already has', () => {
    const groups = addNotification([], notification('2', 'a', '10'));
    expect(addNotification(groups, notification('2', 'a', '10'))).toBe(groups);
  });
});

test('appendGroups leaves out groups that are shown', () => {
  const groups = addNotification([], notification('2', 'a', '10'));
  expect(appendGroups(groups, groups)).toEqual(groups);
});
