import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Notification } from '../api/entities.ts';
import { NotificationList } from './notification-list.ts';

const keysOf = ({ groups }: NotificationList): string => groups.value.map(({ key }) => key).join('');

/** Returns a page of groups, whose keys are letters. */
const page = (keys: string) => ({
  accounts: [],
  statuses: [],
  notification_groups: [...keys].map((key) => ({
    group_key: key,
    type: 'follow',
    notifications_count: 1,
    page_max_id: String(100 - key.charCodeAt(0)),
    sample_account_ids: [],
  })),
});

const notification = (key: string): Notification =>
  ({ group_key: key, type: 'follow', id: '200', created_at: '', account: { id: '1' } }) as Notification;

/** Answers the requests that were sent, oldest first. */
let answers: ((keys: string) => void)[];

beforeEach(() => {
  answers = [];
  vi.stubGlobal('location', new URL('https://web.test/'));
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers.push((keys) => resolve(Response.json(page(keys))));
    return promise;
  });
});

afterEach(() => void vi.unstubAllGlobals());

test('a notification that is shown while the list is loaded stays, whichever the list has', async () => {
  const list = new NotificationList({});
  const loaded = list.load();
  list.waiting.value = [notification('n'), notification('b')];
  list.showWaiting();
  expect(keysOf(list)).toBe('bn');
  answers[0]?.('abc');
  await loaded;
  expect(keysOf(list)).toBe('bnac');
});

test('a list that must be loaded while it is loaded is loaded once more', async () => {
  const list = new NotificationList({});
  const loaded = list.load();
  await Promise.all([list.load(), list.load()]);
  expect(answers).toHaveLength(1);
  answers[0]?.('a');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('ba');
  await loaded;
  expect([keysOf(list), answers.length]).toEqual(['ba', 2]);
});
