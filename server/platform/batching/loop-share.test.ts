import { expect, test } from 'vitest';
import { LoopShare, type LoopClock } from './loop-share.ts';

/** An event loop on which requests and pieces of work take time. Pauses end at once. */
class FakeLoop implements LoopClock {
  #now = 0;
  #active = 0;
  /** Share of the time that is used by requests. */
  requests = 0;

  now(): number {
    return this.#now;
  }

  usage(since = { idle: 0, active: 0, utilization: 0 }) {
    const active = this.#active - since.active;
    const idle = this.#now - this.#active - since.idle;
    return { active, idle, utilization: active + idle === 0 ? 0 : active / (active + idle) };
  }

  async pause(ms: number): Promise<void> {
    this.#now += ms;
    this.#active += ms * this.requests;
  }

  /** Keeps the loop busy. */
  work(ms: number): void {
    this.#now += ms;
    this.#active += ms;
  }
}

/** Does pieces of work one after the other. Returns milliseconds from the first to the last. */
async function doPieces(
  loop: FakeLoop,
  share: LoopShare,
  { count, ms, requests }: { count: number; ms: number; requests: number },
): Promise<number> {
  loop.requests = requests;
  const start = loop.now();
  for (let piece = 0; piece < count; piece += 1) {
    if (requests > 0) share.recordRequest();
    await share.next();
    loop.work(ms);
  }
  return loop.now() - start;
}

test('background work takes half of the event loop while requests arrive, and nearly all of it otherwise', async () => {
  for (const ms of [0.5, 2, 4]) {
    const loop = new FakeLoop();
    const share = new LoopShare(loop);
    const before = loop.usage();
    const alone = await doPieces(loop, share, { count: 6_000, ms, requests: 0 });
    expect(loop.usage(before).utilization, `${ms} ms alone`).toBeGreaterThan(0.6);
    const between = loop.usage();
    const beside = await doPieces(loop, share, { count: 6_000, ms, requests: 0.1 });
    const { utilization } = loop.usage(between);
    expect(utilization, `${ms} ms beside requests`).toBeLessThan(0.6);
    expect(utilization, `${ms} ms beside requests`).toBeGreaterThan(0.35);
    expect(beside).toBeGreaterThan(alone);
  }
});

test('requests that use more than half of the event loop leave a hundred pieces a second', async () => {
  const loop = new FakeLoop();
  const share = new LoopShare(loop);
  await doPieces(loop, share, { count: 200, ms: 0.1, requests: 0.9 });
  const seconds = (await doPieces(loop, share, { count: 500, ms: 0.1, requests: 0.9 })) / 1_000;
  expect(500 / seconds).toBeGreaterThan(90);
  expect(500 / seconds).toBeLessThan(110);
});

test('a few pieces after a calm begin at once, and a loop that was held up does not catch up', async () => {
  const loop = new FakeLoop();
  const share = new LoopShare(loop);
  loop.work(2_000);
  expect(await doPieces(loop, share, { count: 16, ms: 0, requests: 0 })).toBe(0);
  expect(await doPieces(loop, share, { count: 1, ms: 0, requests: 0 })).toBeGreaterThan(0);
  loop.work(900);
  expect(await doPieces(loop, share, { count: 3, ms: 0, requests: 0 })).toBe(0);
  expect(await doPieces(loop, share, { count: 1, ms: 0, requests: 0 })).toBeGreaterThan(0);
  loop.work(2_000);
  expect(await doPieces(loop, share, { count: 16, ms: 0, requests: 0 })).toBe(0);
});

test('background work also takes its share of the loop of a thread that does some of it', async () => {
  const loop = new FakeLoop();
  const share = new LoopShare(loop);
  const plan = { count: 500, ms: 0.1, requests: 0 };
  const alone = await doPieces(loop, share, plan);
  const now = () => loop.now();
  const end = share.watchLoop((since) => ({ idle: 0, active: now() - (since?.active ?? 0), utilization: 1 }));
  await doPieces(loop, share, plan);
  const beside = await doPieces(loop, share, plan);
  expect(500 / (beside / 1_000)).toBeLessThan(110);
  end();
  await doPieces(loop, share, plan);
  expect(await doPieces(loop, share, plan)).toBeLessThan(alone * 1.5);
});
