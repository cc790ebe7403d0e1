import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { storeActivity } from '../../../server/federation/delivery/store-activity.ts';
import { parseConfig } from '../../../server/platform/config.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { createOutgoing } from '../../../server/platform/outgoing/outgoing.ts';
import { Network, type HostHandler } from '../../network.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

async function send({ app }: TestServer, sender: TestUser, inboxes: readonly string[]): Promise<void> {
  const activity = { id: 'https://a.test/1', type: 'Create', content: 'Hello' };
  await transaction(app, (tx) =>
    storeActivity(tx, app, { senderId: sender.id, activity, inboxes, orderKey: crypto.randomUUID() }),
  );
}

const inboxesOf = (host: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${host}/users/${n}/inbox`);

const countRows = async ({ app }: TestServer) => {
  const [deliveries, activities] = await Promise.all([
    app.db.selectFrom('deliveries').select('id').execute(),
    app.db.selectFrom('activities').select('id').execute(),
  ]);
  return { deliveries: deliveries.length, activities: activities.length };
};

test('FED-06: many deliveries share one body and few statements', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const bodies: unknown[] = [];
  const digests = new Set<string | undefined>();
  const hosts = Array.from({ length: 20 }, (_, n) => `h${n}.test`);
  for (const host of hosts) {
    network.addHost(host, (_url, request) => {
      bodies.push(request.body);
      digests.add(request.headers?.['digest']);
      return { status: 202 };
    });
  }
  const inboxes = hosts.flatMap((host) => inboxesOf(`https://${host}`, 10));
  // The first deliveries store the hosts.
  await send(a, alice, inboxes);
  await a.drain();
  bodies.length = 0;
  await send(a, alice, inboxes);
  const statements = await recordStatements(() => a.drain());
  expect(bodies).toHaveLength(200);
  expect(new Set(bodies).size).toBe(1);
  expect(digests.size).toBe(1);
  expect(await countRows(a)).toEqual({ deliveries: 0, activities: 0 });
  const ofDeliveries = statements.filter(({ text }) => /\b(deliveries|activities|hosts)\b/.test(text));
  expect(ofDeliveries.length).toBeLessThan(bodies.length / 4);
});

test('FED-06: a host that answers quickly gets one request at a time, and a slower one with a queue gets a few', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const most = new Map<string, number>();
  const answerAfter = (ms: number): HostHandler => {
    let inFlight = 0;
    return async ({ host }) => {
      inFlight += 1;
      most.set(host, Math.max(inFlight, most.get(host) ?? 0));
      if (ms > 0) await pause(ms);
      inFlight -= 1;
      return { status: 202 };
    };
  };
  network.addHost('quick.test', answerAfter(0));
  network.addHost('far.test', answerAfter(100));
  await send(a, alice, [...inboxesOf('https://quick.test', 3), ...inboxesOf('https://far.test', 20)]);
  await a.drain();
  expect(Object.fromEntries(most)).toEqual({ 'quick.test': 1, 'far.test': 3 });
});

/** Starts a server that sends requests through real sockets, and a plain host that it delivers to. */
async function realScene(listener: RequestListener) {
  const config = parseConfig({ BASE_URL: 'https://a.test', ALLOW_PRIVATE_ADDRESSES: 'on' });
  const outgoing = createOutgoing(config, pino({ level: 'silent' }));
  const a = await startServer({ domain: 'a.test', outgoing });
  const host = createServer({ keepAliveTimeout: 60_000 }, listener);
  const sockets = new Set<Socket>();
  host.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  return {
    a,
    alice: await a.user('alice'),
    sockets,
    origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await a[Symbol.asyncDispose]();
      await outgoing.close();
      host.closeAllConnections();
      host.close();
    },
  };
}

test('FED-06: deliveries to a host reuse its connection', async () => {
  const received: string[] = [];
  await using scene = await realScene((request, response) => {
    received.push(String(request.url));
    request.resume();
    response.writeHead(202).end();
  });
  await send(scene.a, scene.alice, inboxesOf(scene.origin, 4));
  await scene.a.drain();
  await send(scene.a, scene.alice, inboxesOf(scene.origin, 4));
  await scene.a.drain();
  expect(received).toHaveLength(8);
  expect(scene.sockets.size).toBe(1);
});

test('FED-06: a delivery whose kept connection is reset is sent again at once, and recorded once', async () => {
  const received: string[] = [];
  await using scene = await realScene((request, response) => {
    request.resume();
    received.push(String(request.url));
    if (received.length === 3) request.socket.resetAndDestroy();
    else response.writeHead(202).end();
  });
  const { a } = scene;
  await send(a, scene.alice, inboxesOf(scene.origin, 6));
  await a.drain();
  expect(new Set(received).size).toBe(6);
  expect(received).toHaveLength(7);
  expect(await countRows(a)).toEqual({ deliveries: 0, activities: 0 });
  const [host] = await a.app.db.selectFrom('hosts').select(['failures', 'failing_since']).execute();
  expect(host).toEqual({ failures: 0, failing_since: null });
});
