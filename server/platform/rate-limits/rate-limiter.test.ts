import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../bus/bus.ts';
import { ManualClock } from '../clock.ts';
import { parseConfig } from '../config.ts';
import { createRateLimiter, MemoryRateLimiter } from './rate-limiter.ts';
import { ValkeyRateLimiter, type ScriptRunner } from './valkey-rate-limiter.ts';

const start = new Date('2026-01-01T00:01:00Z');

test('a budget shrinks below zero and is restored when its window ends', () => {
  const clock = new ManualClock(start);
  const limiter = new MemoryRateLimiter(clock);
  expect(limiter.take('a', 2, 300)).toEqual({ limit: 2, remaining: 1, resetAt: Date.parse('2026-01-01T00:05:00Z') });
  expect(limiter.take('a', 2, 300).remaining).toBe(0);
  expect(limiter.take('a', 2, 300).remaining).toBe(-1);
  expect(limiter.take('b', 2, 300).remaining).toBe(1);
  clock.advance(239);
  expect(limiter.take('a', 2, 300).remaining).toBe(-2);
  clock.advance(1);
  expect(limiter.take('a', 2, 300)).toEqual({ limit: 2, remaining: 1, resetAt: Date.parse('2026-01-01T00:10:00Z') });
});

test('budgets of one key with different windows are counted separately', () => {
  const limiter = new MemoryRateLimiter(new ManualClock(start));
  limiter.take('a', 5, 300);
  expect(limiter.take('a', 5, 1800).remaining).toBe(4);
});

test('memory stays bounded: expired windows are deleted, then the oldest ones', () => {
  const clock = new ManualClock(start);
  const limiter = new MemoryRateLimiter(clock, 100);
  for (let key = 0; key < 1000; key += 1) limiter.take(String(key), 10, 300);
  expect(limiter.size).toBe(100);
  expect(limiter.take('999', 10, 300).remaining).toBe(8);
  expect(limiter.take('0', 10, 300).remaining).toBe(9);
  clock.advance(301);
  limiter.take('new', 10, 300);
  expect(limiter.size).toBe(1);
});

/** Runs the limiter's script as Valkey does. */
class FakeValkey implements ScriptRunner {
  readonly counts = new Map<string, number>();
  readonly calls: unknown[][] = [];
  away = false;

  async eval(...call: [string, number, ...(string | number)[]]): Promise<unknown> {
    if (this.away) throw new Error('Connection is closed.');
    this.calls.push(call);
    const key = String(call[2]);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return this.counts.get(key);
  }

  disconnect(): void {
    this.away = true;
  }
}

test('processes that share a Valkey server share the budgets', async () => {
  const clock = new ManualClock(start);
  const valkey = new FakeValkey();
  const [one, two] = [1, 2].map(() => new ValkeyRateLimiter(valkey, clock, new MemoryRateLimiter(clock)));
  expect(await one?.take('a', 2, 300)).toEqual({ limit: 2, remaining: 1, resetAt: Date.parse('2026-01-01T00:05:00Z') });
  expect((await two?.take('a', 2, 300))?.remaining).toBe(0);
  clock.advance(240);
  expect((await two?.take('a', 2, 300))?.remaining).toBe(1);
  expect(new Set(valkey.calls.map((call) => call[2])).size).toBe(2);
  // A key expires soon after its window.
  expect(valkey.calls.map((call) => call[3])).toEqual([360, 360, 360]);
});

test('without Valkey each process counts on its own', async () => {
  const clock = new ManualClock(start);
  const valkey = new FakeValkey();
  const limiter = new ValkeyRateLimiter(valkey, clock, new MemoryRateLimiter(clock));
  valkey.away = true;
  expect((await limiter.take('a', 1, 300)).remaining).toBe(0);
  expect((await limiter.take('a', 1, 300)).remaining).toBe(-1);
  await limiter.close();
});

test('after a failure Valkey is not asked for a few seconds, so that not every request waits for it', async () => {
  const clock = new ManualClock(start);
  const valkey = new FakeValkey();
  let attempts = 0;
  const silent: ScriptRunner = {
    eval: (...call) => {
      attempts += 1;
      return valkey.eval(...call);
    },
    disconnect: () => {},
  };
  const limiter = new ValkeyRateLimiter(silent, clock, new MemoryRateLimiter(clock));
  valkey.away = true;
  for (const remaining of [4, 3, 2]) expect((await limiter.take('a', 5, 300)).remaining).toBe(remaining);
  expect(attempts).toBe(1);
  valkey.away = false;
  clock.advance(5);
  expect((await limiter.take('a', 5, 300)).remaining).toBe(4);
  expect(attempts).toBe(2);
});

test('while a Valkey server is silent, one request at a time waits for it', async () => {
  const clock = new ManualClock(start);
  const waiting: (() => void)[] = [];
  const silent: ScriptRunner = {
    eval: () => new Promise((_resolve, reject) => waiting.push(() => reject(new Error('Command timed out')))),
    disconnect: () => {},
  };
  const limiter = new ValkeyRateLimiter(silent, clock, new MemoryRateLimiter(clock));
  const first = limiter.take('a', 9, 300);
  for (const fail of waiting.splice(0)) fail();
  expect((await first).remaining).toBe(8);
  clock.advance(5);
  const second = limiter.take('a', 9, 300);
  expect((await limiter.take('a', 9, 300)).remaining).toBe(7);
  expect(waiting).toHaveLength(1);
  for (const fail of waiting.splice(0)) fail();
  expect((await second).remaining).toBe(6);
});

test('requests do not wait for an unavailable Valkey server', async () => {
  // It accepts connections and does not respond. The clock stands still, so a request that waited would never end.
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    silent.close();
  });
  const connected = once(silent, 'connection') as Promise<[Socket]>;
  const clock = new ManualClock(start);
  const config = parseConfig({ VALKEY_URL: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}` });
  const limiter = createRateLimiter({ config, clock, pool: new pg.Pool(), bus: new LocalBus() });
  expect((await limiter.take('a', 5, 300)).remaining).toBe(4);
  const [socket] = await connected;
  for (let count = 2; count <= 5; count += 1) expect((await limiter.take('a', 5, 300)).remaining).toBe(5 - count);
  await limiter.close();
  socket.destroy();
});
