import { expect, test } from 'vitest';
import { Network, type HostHandler } from '../../network.ts';

const path = '/api/v1/donation_campaigns';

/** Starts a server whose service of donation campaigns is `handler`. */
async function startWithService(handler: HostHandler) {
  const network = new Network();
  network.addHost('donations.test', handler);
  const settings = {
    DONATION_CAMPAIGNS_URL: 'https://donations.test/api/v1/campaigns?all=1',
    DONATION_CAMPAIGNS_ENVIRONMENT: 'staging',
  };
  const server = await network.start('a.test', { settings });
  return { network, server, alice: await server.user('alice') };
}

const json = (value: unknown) => ({ status: 200, body: Buffer.from(JSON.stringify(value)) });

test('without a service there is no donation campaign, and it takes a user to ask', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const alice = await server.user('alice');
  const response = await (await server.withScopes(alice, 'write:media')).get(path);
  expect([response.status, response.text]).toEqual([204, '']);
  expect((await server.anonymous.get(path)).status).toBe(401);
  expect((await (await server.appToken()).get(path)).status).toBe(422);
  expect(network.requests).toEqual([]);
});

test('the campaign of the service is passed on, and requested once an hour', async () => {
  const { network, server, alice } = await startWithService(() => json({ id: 'winter', amounts: { EUR: [500] } }));
  await using _ = network;
  for (let round = 0; round < 3; round += 1)
    expect((await alice.get(path)).json).toEqual({ id: 'winter', amounts: { EUR: [500] } });
  expect(network.requests).toHaveLength(1);
  const { searchParams } = new URL(network.requests[0]?.url ?? '');
  expect(Object.fromEntries(searchParams)).toEqual({
    all: '1',
    platform: 'web',
    seed: String(BigInt(alice.id) % 100n),
    locale: 'en',
    environment: 'staging',
  });
  await server.pool.query(`update users set locale = 'de' where account_id = $1`, [alice.id]);
  await alice.get(path);
  expect(new URL(network.requests[1]?.url ?? '').searchParams.get('locale')).toBe('de');
});

test('that there is no campaign is remembered too', async () => {
  const { network, alice } = await startWithService(() => ({ status: 204 }));
  await using _ = network;
  for (let round = 0; round < 3; round += 1) expect((await alice.get(path)).status).toBe(204);
  expect(network.requests).toHaveLength(1);
});

test('a service that fails or sends something else is left alone, and answers as if there were no campaign', async () => {
  const answers = [
    { status: 500 },
    json([1]),
    json(null),
    { status: 200, body: Buffer.from('<html>') },
    json('x'.repeat(20_000)),
  ];
  for (const answer of answers) {
    const { network, server, alice } = await startWithService(() => answer);
    await using _ = network;
    const bob = await server.user('bob');
    for (const user of [alice, bob]) expect((await user.get(path)).status).toBe(204);
    expect(network.requests).toHaveLength(1);
  }
  const { network, alice } = await startWithService(() => ({ status: 200 }));
  await using _ = network;
  network.takeDown('donations.test');
  expect((await alice.get(path)).status).toBe(204);
});
