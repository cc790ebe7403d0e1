import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Status } from '../api/entities.ts';
import { deleteStatus, statusOf, storeStatus } from '../store/statuses.ts';
import { idsOf } from './timeline-items.ts';
import { followChanges } from './live-changes.ts';
import { timelineOf } from './timeline.ts';

const author = { id: '1', acct: 'ann' };
const toStatus = (id: string, reblog: Status | null = null) =>
  ({ id, account: author, reblog, quote: null, media_attachments: [] }) as unknown as Status;

/** The answer of each request, in their order. */
let answers: ((statuses: readonly Status[], next?: string) => void)[];

beforeEach(() => {
  answers = [];
  vi.useFakeTimers();
  vi.stubGlobal('location', new URL('https://web.test/'));
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers.push((statuses, next) => {
      const headers = next === undefined ? {} : { link: `<https://web.test${next}>; rel="next"` };
      resolve(Response.json(statuses, { headers }));
    });
    return promise;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a post that is deleted while a page is loaded does not come back with it, nor do boosts of it', async () => {
  followChanges();
  const timeline = timelineOf({ key: 'test', path: '/api/v1/accounts/1/statuses', context: 'account' });
  const first = timeline.load();
  deleteStatus('9');
  answers[0]?.([toStatus('10', toStatus('9')), toStatus('9'), toStatus('8')], '/older?max_id=8');
  await first;
  expect(idsOf(timeline.items.peek())).toEqual(['8']);

  const older = timeline.loadOlder();
  deleteStatus('8');
  deleteStatus('7');
  answers[1]?.([toStatus('7'), toStatus('6')]);
  await older;
  expect(idsOf(timeline.items.peek())).toEqual(['6']);
  expect(timeline.isComplete.peek()).toBe(true);
  expect(statusOf('9').peek()).toBeUndefined();

  // Much later it is stored again, such as one of a suspended author who is back.
  vi.advanceTimersByTime(60_000);
  storeStatus(toStatus('9'));
  expect(statusOf('9').peek()).toBeDefined();
});
