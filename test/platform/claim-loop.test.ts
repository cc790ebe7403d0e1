import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClaimWorker, type ClaimRequest } from '../../server/platform/work/claim-loop.ts';
import type { LaneLimits, Task } from '../../server/platform/work/lanes.ts';
import { WorkerLoop } from '../../server/platform/work/worker-loop.ts';
import type { App } from '../../server/platform/app.ts';

// Without the poll, the loop claims only when a test wakes it.
beforeEach(() => void vi.stubGlobal('setInterval', () => undefined));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

interface Item {
  readonly id: string;
  readonly holder: string;
  readonly attempts: number;
  readonly lane: string;
  readonly host: string;
  /** Whether its host responded recently. */
  readonly proven: boolean;
}

const createItem = (lane: string, more: Partial<Item> = {}): Item => ({
  id: `${lane}/${Math.random()}`,
  holder: 'h',
  attempts: 1,
  lane,
  host: lane,
  proven: false,
  ...more,
});

/** A source in memory whose items hang if their host is named silent. */
function createMemoryQueue(
  budget: Partial<LaneLimits>,
  {
    freesRows,
    onClaim,
  }: { freesRows?: (outcome: { lane: string }) => boolean; onClaim?: (room: ClaimRequest) => void } = {},
) {
  const due: Item[] = [];
  const [started, done, released]: string[][] = [[], [], []];
  const claims: ClaimRequest[] = [];
  const hanging = Promise.withResolvers<void>();
  const taskOf = (lane: Item[]): Task<{ kind: string; lane: string }> => {
    const waiting = [...lane];
    return {
      lane: lane[0]?.lane ?? '',
      host: lane[0]?.host,
      leases: lane,
      async run(report) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          started?.push(next.lane);
          if (next.host.startsWith('silent')) await hanging.promise;
          report({ kind: 'done', lane: next.lane });
        }
        return [];
      },
      release: () => waiting.splice(0).map(({ lane: name }) => ({ kind: 'released', lane: name })),
    };
  };
  const worker = createClaimWorker<Item, { kind: string; lane: string }>({
    name: 'memory',
    limits: {
      fastLanes: 4,
      slowLanes: 8,
      reservedLanes: 0,
      batchSize: 100,
      rowsPerLane: 1,
      slowAfterMs: 20,
      ...budget,
    },
    async claim(_app, room) {
      claims.push(room);
      onClaim?.(room);
      const isFree = ({ lane, host, proven }: Item) =>
        !room.busyLanes.includes(lane) && !room.saturatedHosts.includes(host) && (proven || !room.responsiveHostsOnly);
      const taken = due.filter(isFree).slice(0, room.maxRows);
      for (const one of taken) due.splice(due.indexOf(one), 1);
      return taken;
    },
    buildTasks: (_app, items) => [...Map.groupBy(items, ({ lane }) => lane).values()].map(taskOf),
    ...(freesRows && { freesRows }),
    async recordOutcomes(_app, outcomes) {
      for (const { kind, lane } of outcomes) (kind === 'done' ? done : released)?.push(lane);
    },
    async renewLeases() {},
    async releaseLeases() {},
  });
  const app = { log: { error: () => {} }, reportJobFailure: () => {} } as unknown as App;
  const loop = new WorkerLoop(app, [worker]);
  loop.start();
  return {
    due,
    started: started ?? [],
    done: done ?? [],
    released: released ?? [],
    claims,
    wake: () => loop.wake(),
    async [Symbol.asyncDispose]() {
      hanging.resolve();
      await loop.stop();
    },
  };
}

const createSilentItems = (count: number, more: Partial<Item> = {}): Item[] =>
  Array.from({ length: count }, (_, n) => createItem(`silent-${n}`, more));

test('more silent lanes than quick slots do not block a healthy lane', async () => {
  await using source = createMemoryQueue({ fastLanes: 4, slowLanes: 100 });
  source.due.push(...createSilentItems(50), createItem('healthy'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['healthy']);
  expect(source.started).toHaveLength(51);
});

test('an item stored while all claimed items hang is processed immediately', async () => {
  await using source = createMemoryQueue({});
  source.due.push(createItem('silent'));
  source.wake();
  await expect.poll(() => source.started).toEqual(['silent']);
  source.due.push(createItem('healthy'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['healthy']);
});

test('when the slow slots are in use, hosts that responded recently still get one, and others wait', async () => {
  await using source = createMemoryQueue({ fastLanes: 4, slowLanes: 6, reservedLanes: 2 });
  source.due.push(...createSilentItems(20));
  source.wake();
  await expect.poll(() => source.claims.at(-1)?.busyLanes.length).toBe(6);
  const before = source.started.length;
  source.due.push(createItem('unknown'), createItem('proven', { proven: true }));
  source.wake();
  await expect.poll(() => source.done).toEqual(['proven']);
  expect(source.started.slice(before)).toEqual(['proven']);
});

test('a long claim that finds no responsive hosts is followed by a pause, and repeated without a wake-up', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const searchMs = 5;
  await using source = createMemoryQueue(
    { fastLanes: 4, reservedLanes: 2 },
    { onClaim: ({ responsiveHostsOnly }) => void vi.advanceTimersByTime(responsiveHostsOnly ? searchMs : 0) },
  );
  const searches = () => source.claims.filter(({ responsiveHostsOnly }) => responsiveHostsOnly);
  source.due.push(...createSilentItems(2));
  await expect.poll(() => source.started).toHaveLength(2);
  source.due.push(createItem('proven', { proven: true }));
  for (let count = 0; count < 5; count += 1) {
    source.wake();
    await turn();
  }
  expect([searches().length, source.done]).toEqual([1, []]);
  vi.advanceTimersByTime(9 * searchMs);
  await expect.poll(() => source.done).toEqual(['proven']);
});

test('results wait for others until new work arrives or nothing is in progress', async () => {
  await using source = createMemoryQueue({ recordAfterMs: 3_600_000, slowAfterMs: 3_600_000 });
  source.due.push(createItem('first'), createItem('second'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['first', 'second']);
  source.due.push(createItem('silent'), createItem('third'));
  source.wake();
  await expect.poll(() => source.started).toHaveLength(4);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(source.done).toHaveLength(2);
  source.wake();
  await expect.poll(() => source.done).toEqual(['first', 'second', 'third']);
});

test('one host does not get all slow slots', async () => {
  await using source = createMemoryQueue({ fastLanes: 2, slowLanes: 32 });
  source.due.push(...createSilentItems(60, { host: 'silent.test' }));
  source.wake();
  await expect.poll(() => source.claims.at(-1)?.saturatedHosts).toEqual(['silent.test']);
  source.due.push(createItem('healthy'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['healthy']);
  expect(source.due.length).toBeGreaterThan(30);
});

test('a lane keeps its order, and returns items that have not started when it becomes slow', async () => {
  await using source = createMemoryQueue({});
  source.due.push(
    createItem('silent'),
    createItem('silent'),
    createItem('silent'),
    createItem('healthy'),
    createItem('healthy'),
  );
  source.wake();
  await expect.poll(() => source.released).toEqual(['silent', 'silent']);
  expect([source.started, source.done]).toEqual([
    ['silent', 'healthy', 'healthy'],
    ['healthy', 'healthy'],
  ]);
});

test('stop returns items that have not started and waits for the others', async () => {
  const source = createMemoryQueue({ fastLanes: 1, slowLanes: 0 });
  source.due.push(createItem('silent-a'), createItem('silent-a'), createItem('silent-b'));
  source.wake();
  await expect.poll(() => source.started).toEqual(['silent-a']);
  const stopped = source[Symbol.asyncDispose]();
  await turn();
  await stopped;
  expect(source.done).toEqual(['silent-a']);
  expect([...source.released, ...source.due.map(({ lane }) => lane)].toSorted()).toEqual(['silent-a', 'silent-b']);
});

test('a source whose outcomes free no rows is not claimed again until it is woken', async () => {
  await using source = createMemoryQueue({ fastLanes: 4, slowLanes: 0 }, { freesRows: () => false });
  await expect.poll(() => source.claims.length).toBe(1);
  source.due.push(createItem('a'), createItem('b'), createItem('silent'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['a', 'b']);
  const claims = source.claims.length;
  source.due.push(createItem('c'));
  for (let i = 0; i < 100; i += 1) await turn();
  expect([source.started, source.claims.length]).toEqual([['a', 'b', 'silent'], claims]);
  source.wake();
  await expect.poll(() => source.done).toEqual(['a', 'b', 'c']);
});

test('rows that did not fit are claimed without a wake-up', async () => {
  await using source = createMemoryQueue({ fastLanes: 1, slowLanes: 0 }, { freesRows: () => false });
  source.due.push(createItem('a'), createItem('b'), createItem('c'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['a', 'b', 'c']);
});

test('rows that an outcome frees are claimed without a wake-up', async () => {
  const freed = createItem('behind');
  await using source = createMemoryQueue(
    {},
    {
      freesRows: ({ lane }) => {
        if (lane === 'key') source.due.push(freed);
        return lane === 'key';
      },
    },
  );
  await expect.poll(() => source.claims.length).toBe(1);
  source.due.push(createItem('key'));
  source.wake();
  await expect.poll(() => source.done).toEqual(['key', 'behind']);
  expect(source.claims.length).toBe(3);
});
