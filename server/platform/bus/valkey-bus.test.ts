import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { connectValkeyBus, ValkeyBus } from './valkey-bus.ts';

/** Passes texts between its connections as Valkey does: to every listener of the channel, the sender's own too. */
class FakeValkey {
  readonly texts: string[] = [];
  readonly #receivers: [string, (channel: string, text: string) => void][] = [];
  away = false;

  bus(channel = 'fieldfare:a.test', onError: (error: unknown) => void = () => expect.unreachable()): ValkeyBus {
    let hear: (channel: string, text: string) => void = () => undefined;
    const speaker = {
      publish: async (name: string, text: string) => {
        if (this.away) throw new Error('Connection is closed.');
        this.say(name, text);
      },
      disconnect: () => undefined,
    };
    const listener = {
      on: (_event: 'message', receive: typeof hear) => (hear = receive),
      subscribe: async (name: string) => this.#receivers.push([name, (...heard) => hear(...heard)]),
      disconnect: () => (hear = () => undefined),
    };
    return new ValkeyBus({ publisher: speaker, subscriber: listener, channel, onError });
  }

  say(name: string, text: string): void {
    this.texts.push(text);
    for (const [channel, receive] of this.#receivers) if (channel === name) receive(name, text);
  }
}

async function collectMessages(bus: ValkeyBus, channel = 'c'): Promise<unknown[]> {
  const heard: unknown[] = [];
  bus.subscribe(channel, (message) => heard.push(message));
  await bus.start();
  return heard;
}

const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('every process hears a message once, the one that said it at once', async () => {
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

test('instances that share a server do not hear each other', async () => {
  const valkey = new FakeValkey();
  const heard = await collectMessages(valkey.bus('fieldfare:b.test'));
  valkey.bus('fieldfare:a.test').publish('c', 1);
  await flushPromises();
  expect(heard).toEqual([]);
});

test('neither a stranger on the channel nor a receiver that throws ends the process', async () => {
  const errors: unknown[] = [];
  const valkey = new FakeValkey();
  const bus = valkey.bus('fieldfare:a.test', (error) => errors.push(error));
  const heard = await collectMessages(bus);
  bus.subscribe('bad', () => {
    throw new Error('broken receiver');
  });
  for (const text of ['no JSON', 'null', '{}']) valkey.say('fieldfare:a.test', text);
  valkey.say('fieldfare:a.test', '["someone","bad",1]');
  valkey.say('fieldfare:a.test', '["someone","c",2]');
  expect(errors).toHaveLength(4);
  expect(heard).toEqual([2]);
});

test('while Valkey is away this process still hears itself, and the failure is reported', async () => {
  const errors: unknown[] = [];
  const valkey = new FakeValkey();
  const bus = valkey.bus('fieldfare:a.test', (error) => errors.push(error));
  const heard = await collectMessages(bus);
  valkey.away = true;
  bus.publish('c', 1);
  await flushPromises();
  expect([heard, errors.length]).toEqual([[1], 1]);
});

test('a bus that is closed hears nothing any more', async () => {
  const valkey = new FakeValkey();
  const bus = valkey.bus();
  const heard = await collectMessages(bus);
  await bus.close();
  valkey.bus().publish('c', 1);
  await flushPromises();
  expect(heard).toEqual([]);
});

test('a Valkey that does not answer is told at once', async () => {
  const config = parseConfig({ VALKEY_URL: 'valkey://127.0.0.1:1' });
  await expect(connectValkeyBus(config, () => undefined)).rejects.toThrow();
});
