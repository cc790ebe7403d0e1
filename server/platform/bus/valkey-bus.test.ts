import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { connectValkeyBus, ValkeyBus } from './valkey-bus.ts';

/** Delivers messages as Valkey does: to every subscriber of the channel, including the sender. */
class FakeValkey {
  readonly texts: string[] = [];
  readonly #receivers: [string, (channel: string, text: string) => void][] = [];
  away = false;

  bus(channel = 'fieldfare:a.test', onError: (error: unknown) => void = () => expect.unreachable()): ValkeyBus {
    let receiveMessage: (channel: string, text: string) => void = () => undefined;
    const publisher = {
      publish: async (name: string, text: string) => {
        if (this.away) throw new Error('Connection is closed.');
        this.deliver(name, text);
      },
      role: async () => ['master'],
      disconnect: () => undefined,
    };
    const subscriber = {
      on: (event: string, receive: typeof receiveMessage) => event === 'message' && (receiveMessage = receive),
      subscribe: async (name: string) => this.#receivers.push([name, (...received) => receiveMessage(...received)]),
      ping: async () => 'PONG',
      disconnect: () => (receiveMessage = () => undefined),
    };
    return new ValkeyBus({ publisher, subscriber, channel, onError });
  }

  deliver(name: string, text: string): void {
    this.texts.push(text);
    for (const [channel, receive] of this.#receivers) if (channel === name) receive(name, text);
  }
}

async function collectMessages(bus: ValkeyBus, channel = 'c'): Promise<unknown[]> {
  const received: unknown[] = [];
  bus.subscribe(channel, (message) => received.push(message));
  await bus.start();
  return received;
}

const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('every process receives a message once, its publisher immediately', async () => {
  const valkey = new FakeValkey();
  const [one, two] = [valkey.bus(), valkey.bus()];
  const [first, second, other] = [
    await collectMessages(one),
    await collectMessages(two),
    await collectMessages(valkey.bus(), 'd'),
  ];
  one.publish('c', { ids: ['1', '2'], text: 'ä"\n' });
  expect(first).toEqual([{ ids: ['1', '2'], text: 'ä"\n' }]);
  await flushPromises();
  expect([first.length, second, other]).toEqual([1, [{ ids: ['1', '2'], text: 'ä"\n' }], []]);
});

test("instances that share a Valkey server do not receive each other's messages", async () => {
  const valkey = new FakeValkey();
  const received = await collectMessages(valkey.bus('fieldfare:b.test'));
  valkey.bus('fieldfare:a.test').publish('c', 1);
  await flushPromises();
  expect(received).toEqual([]);
});

test('neither a foreign message on the channel nor a failing subscriber stops the process', async () => {
  const errors: unknown[] = [];
  const valkey = new FakeValkey();
  const bus = valkey.bus('fieldfare:a.test', (error) => errors.push(error));
  const received = await collectMessages(bus);
  bus.subscribe('bad', () => {
    throw new Error('broken receiver');
  });
  for (const text of ['no JSON', 'null', '{}']) valkey.deliver('fieldfare:a.test', text);
  valkey.deliver('fieldfare:a.test', '["someone","bad",1]');
  valkey.deliver('fieldfare:a.test', '["someone","c",2]');
  expect(errors).toHaveLength(4);
  expect(received).toEqual([2]);
});

test('while Valkey is unavailable the process still receives its own messages, and the others have a gap', async () => {
  const errors: unknown[] = [];
  const valkey = new FakeValkey();
  const bus = valkey.bus('fieldfare:a.test', (error) => errors.push(error));
  const other = valkey.bus();
  const [received] = [await collectMessages(bus), await collectMessages(other)];
  const gaps: string[] = [];
  bus.onGap(() => gaps.push('own'));
  other.onGap(() => gaps.push('other'));
  valkey.away = true;
  bus.publish('c', 1);
  await flushPromises();
  expect([received, errors.length]).toEqual([[1], 1]);
  await expect.poll(() => errors.length).toBe(2);
  expect(gaps).toEqual([]);
  valkey.away = false;
  await expect.poll(() => gaps).toEqual(['other']);
  await Promise.all([bus.close(), other.close()]);
});

test('a closed bus receives nothing', async () => {
  const valkey = new FakeValkey();
  const bus = valkey.bus();
  const received = await collectMessages(bus);
  await bus.close();
  valkey.bus().publish('c', 1);
  await flushPromises();
  expect(received).toEqual([]);
});

test('a Valkey server that does not respond is reported immediately', async () => {
  const config = parseConfig({ VALKEY_URL: 'valkey://127.0.0.1:1' });
  await expect(connectValkeyBus(config, () => undefined)).rejects.toThrow();
});
