import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { streamHub } from '../../server/streaming/connections/hub.ts';
import { startServer } from '../server.ts';
import { portOf, requestOpening, settle, TestEventSource } from '../streams.ts';

test('STR-01: a stream receives events as soon as it is open, while the database is slow to store its feed', async () => {
  await using server = await startServer();
  await using lock = new AsyncDisposableStack();
  const alice = await server.user('alice');
  const openCount = (): number => streamHub(server.app).homes.get(alice.id).size;
  const address = `ws://127.0.0.1:${await portOf(server)}/api/v1/streaming?access_token=${alice.token}`;
  const received: [string, unknown][] = [];
  const open = async (name: string, url: string): Promise<WebSocket> => {
    const socket = new WebSocket(url);
    socket.on('message', (data: Buffer) => received.push([name, JSON.parse(data.toString())]));
    await once(socket, 'open');
    return socket;
  };
  const locker = lock.adopt(await server.pool.connect(), (client) => client.release(true));
  await locker.query('begin; lock table home_feed_states in access exclusive mode');

  const named = await open('in the address', `${address}&stream=user`);
  expect(openCount()).toBe(1);
  const subscribed = await open('by message', address);
  subscribed.send(JSON.stringify({ type: 'subscribe', stream: 'user' }));
  await expect.poll(openCount).toBe(2);
  const events = new TestEventSource(server, await requestOpening(server, '/user', alice.token));
  expect(openCount()).toBe(3);

  await alice.post('/api/v2/filters', { title: 'Quiet', context: ['home'] });
  await expect.poll(() => received.length).toBe(2);
  const event = { stream: ['user'], event: 'filters_changed', payload: '1' };
  expect(new Map(received)).toEqual(
    new Map([
      ['in the address', event],
      ['by message', event],
    ]),
  );
  await expect.poll(() => events.text).toContain('event: filters_changed');
  await lock.disposeAsync();
  // The feed is stored once the database answers.
  await expect.poll(() => server.db.selectFrom('home_feed_states').selectAll().execute()).toHaveLength(1);
  await settle(server);
  for (const each of [named, subscribed, events]) each.close();
});
