import { expect, test } from 'vitest';
import { FetchAborted, FetchSlots, type Slot } from './fetch-slots.ts';

const never = new AbortController().signal;

/** Starts a fetch that runs until it is aborted or `end` is called. */
function fetchFrom(slots: FetchSlots, host: string, signal: AbortSignal = never) {
  const started = Promise.withResolvers<Slot>();
  const ended = Promise.withResolvers<string>();
  const result = slots
    .run(host, signal, (slot) => {
      slot.signal.addEventListener('abort', () => ended.reject(slot.signal.reason as Error));
      started.resolve(slot);
      return ended.promise;
    })
    .catch((error: unknown) => (error instanceof FetchAborted ? 'made room' : 'gave up'));
  return { slot: started.promise, end: () => ended.resolve('fetched'), result };
}

const limits = { perHost: 2, total: 4, bytes: 100 };

test('a host has a number of slots, its other fetches wait in order, and an aborted one frees its slot', async () => {
  const slots = new FetchSlots(limits);
  const order: string[] = [];
  const controller = new AbortController();
  const [a, b] = [fetchFrom(slots, 'one'), fetchFrom(slots, 'one')];
  const waiting = fetchFrom(slots, 'one', controller.signal);
  const next = fetchFrom(slots, 'one');
  void waiting.slot.then(() => order.push('waiting'));
  void next.slot.then(() => order.push('next'));
  await fetchFrom(slots, 'two').slot;
  controller.abort();
  expect(await waiting.result).toBe('gave up');
  a.end();
  expect(await a.result).toBe('fetched');
  await next.slot;
  expect(order).toEqual(['next']);
  b.end();
  next.end();
  expect(await Promise.all([b.result, next.result])).toEqual(['fetched', 'fetched']);
});

test('beyond the limits shared by all hosts, the oldest fetch is aborted and none waits', async () => {
  const slots = new FetchSlots(limits);
  const fetches = ['a', 'b', 'c', 'd', 'e'].map((host) => fetchFrom(slots, host));
  expect(await fetches[0]?.result).toBe('made room');
  const [, , c, d, e] = await Promise.all(fetches.map(({ slot }) => slot));
  c?.received(60);
  d?.received(40);
  e?.received(1);
  // The oldest running fetch, `b`, has received nothing: aborting it would free nothing.
  expect(await fetches[2]?.result).toBe('made room');
  e?.received(59);
  for (const index of [1, 3, 4]) {
    fetches[index]?.end();
    expect(await fetches[index]?.result).toBe('fetched');
  }
});
