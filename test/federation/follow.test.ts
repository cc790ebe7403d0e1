import { expect, test } from 'vitest';
import { findAccountByAcct } from '../../server/accounts/index.ts';
import { resolveAccount } from '../../server/federation/index.ts';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';

async function pair() {
  const network = new Network();
  const a = await network.start('a.test');
  const b = await network.start('b.test');
  return { network, a, b, alice: await a.user('alice'), bob: await b.user('bob') };
}

async function idOn(server: TestServer, acct: string): Promise<string> {
  const id = await resolveAccount(server.app, acct);
  if (id === undefined) throw new Error(`${acct} is unknown`);
  return id;
}

async function relationship(viewer: TestUser, id: string) {
  const { json } = await viewer.get(`/api/v1/accounts/relationships?id[]=${id}`);
  return (json as Record<string, boolean>[])[0];
}

test('FED-03: an unlocked account of another server is followed, and posts reach the follower', async () => {
  const { network, a, b, alice, bob } = await pair();
  await using _ = network;
  const bobOnA = await idOn(a, 'bob@b.test');
  await alice.post(`/api/v1/accounts/${bobOnA}/follow`);
  await network.drain();
  expect(await relationship(alice, bobOnA)).toMatchObject({ following: true, requested: false });
  const aliceOnB = (await findAccountByAcct(b.app, 'alice@a.test'))?.id;
  expect(await relationship(bob, aliceOnB ?? '')).toMatchObject({ followed_by: true });
  await bob.post('/api/v1/statuses', { status: 'Hello from over here' });
  await network.drain();
  const home = (await alice.get('/api/v1/timelines/home')).json as { content: string; account: { acct: string } }[];
  expect(home[0]).toMatchObject({ content: '<p>Hello from over here</p>', account: { acct: 'bob@b.test' } });
});
