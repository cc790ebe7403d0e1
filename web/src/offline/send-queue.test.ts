import { expect, test } from 'vitest';
import type { QueuedAction } from './queue.ts';
import { sendQueue, type Outbox } from './send-queue.ts';

const action = (order: number, accountId = '1'): QueuedAction => ({
  order,
  accountId,
  kind: 'other',
  method: 'POST',
  path: `/${order}`,
});

/** An outbox whose server answers each path with a status in turn; 0: it cannot be reached. */
function createOutbox(actions: readonly QueuedAction[], statuses: Readonly<Record<string, number>>) {
  const queue = new Map(actions.map((one) => [one.order, one]));
  const sent: string[] = [];
  const outbox: Outbox = {
    list: () => Promise.resolve([...queue.values()].toSorted((one, other) => one.order - other.order)),
    update: (one) => Promise.resolve(void queue.set(one.order, one)),
    delete: (order) => Promise.resolve(void queue.delete(order)),
    send: ({ path }) => {
      sent.push(path);
      const status = statuses[path] ?? 200;
      if (status === 0) return Promise.reject(new TypeError('no connection'));
      return Promise.resolve(Response.json(status < 400 ? { id: path } : { error: `no ${path}` }, { status }));
    },
  };
  return { queue, sent, outbox };
}

test('actions are sent in order, and each is removed before the next is sent', async () => {
  const { queue, sent, outbox } = createOutbox([action(2), action(1), action(3)], {});
  const results: unknown[] = [];
  expect(await sendQueue('1', (_action, result) => results.push(result), outbox)).toBe('empty');
  expect(sent).toEqual(['/1', '/2', '/3']);
  expect(results).toEqual([{ id: '/1' }, { id: '/2' }, { id: '/3' }]);
  expect(queue.size).toBe(0);
});

test.each([0, 401, 408, 409, 429, 500, 503])('after a failure that may pass (%i) the rest waits', async (status) => {
  const { queue, sent, outbox } = createOutbox([action(1), action(2)], { '/1': status });
  expect(await sendQueue('1', () => undefined, outbox)).toBe('waiting');
  expect(sent).toEqual(['/1']);
  expect([...queue.values()]).toEqual([action(1), action(2)]);
});

test('a refusal is kept with its reason, and nothing is sent until the person decides', async () => {
  const { queue, sent, outbox } = createOutbox([action(1), action(2)], { '/1': 422 });
  expect(await sendQueue('1', () => undefined, outbox)).toBe('refused');
  expect(await sendQueue('1', () => undefined, outbox)).toBe('refused');
  expect(sent).toEqual(['/1']);
  expect(queue.get(1)?.refusal).toBe('no /1');
  queue.delete(1);
  expect(await sendQueue('1', () => undefined, outbox)).toBe('empty');
  expect(sent).toEqual(['/1', '/2']);
});

test('a post that waited for about a week is sent again only if the person wants it', async () => {
  const post = { ...action(1), kind: 'post' as const, idempotencyKey: 'k', queuedAt: 0 };
  const { queue, sent, outbox } = createOutbox([post, action(2)], {});
  expect(await sendQueue('1', () => undefined, outbox)).toBe('refused');
  expect(await sendQueue('1', () => undefined, outbox)).toBe('refused');
  expect([sent, queue.get(1)]).toEqual([[], { ...post, isOutdated: true }]);
  const { queuedAt: _, ...chosen } = post;
  queue.set(1, chosen);
  expect(await sendQueue('1', () => undefined, outbox)).toBe('empty');
  expect(sent).toEqual(['/1', '/2']);
});

test('a post that a window holds is passed over until it is released', async () => {
  const { queue, sent, outbox } = createOutbox([{ ...action(1), isHeld: true }, action(2)], {});
  expect(await sendQueue('1', () => undefined, outbox)).toBe('empty');
  expect([sent, [...queue.keys()]]).toEqual([['/2'], [1]]);
  queue.set(1, action(1));
  expect(await sendQueue('1', () => undefined, outbox)).toBe('empty');
  expect(sent).toEqual(['/2', '/1']);
});

test('actions of another account are left alone', async () => {
  const { queue, sent, outbox } = createOutbox([action(1, '2'), action(2, '1')], {});
  expect(await sendQueue('1', () => undefined, outbox)).toBe('empty');
  expect(sent).toEqual(['/2']);
  expect([...queue.keys()]).toEqual([1]);
});
