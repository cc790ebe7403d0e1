import { expect, test } from 'vitest';
import { isGoneAtOrigin } from '../../../server/federation/fetch/is-gone-at-origin.ts';
import { receiveForwardedRevocation } from '../../../server/federation/inbox/forward-revocation.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { decideAll } from '../interaction-scene.ts';
import { postStatus, resolveAccountOn } from '../two-servers.ts';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly c: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly carol: TestUser;
}

/** alice and bob are on a.test; carol of c.test follows both. */
async function scene(): Promise<Scene> {
  const network = new Network();
  const [a, c] = [await network.start('a.test'), await network.start('c.test')];
  const [alice, bob, carol] = [await a.user('alice'), await a.user('bob'), await c.user('carol')];
  for (const name of ['alice', 'bob'])
    await carol.post(`/api/v1/accounts/${await resolveAccountOn(c, `${name}@a.test`)}/follow`);
  await network.drain();
  return { network, a, c, alice, bob, carol, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

const home = async (user: TestUser) =>
  (await user.get('/api/v1/timelines/home')).json as { id: string; uri: string; quote: { state: string } | null }[];

test('FED-03: the authorization of a quote in a private post is fetched by a follower', async () => {
  await using s = await scene();
  const quoted = await postStatus(s.alice, { status: 'Quote me' });
  const quoting = await postStatus(s.bob, { status: 'Look', visibility: 'private', quoted_status_id: quoted.id });
  await s.network.drain();
  const shown = (await home(s.carol)).find(({ uri }) => uri === quoting.uri);
  expect(shown).toMatchObject({ quote: { state: 'accepted', quoted_status: { uri: quoted.uri } } });
});

test('FED-03: the private parent of a private reply is fetched by a follower', async () => {
  await using s = await scene();
  const { network, a, c, carol } = s;
  const erin = await a.user('erin');
  const parent = await postStatus(erin, { status: 'Before anyone follows', visibility: 'private' });
  await carol.post(`/api/v1/accounts/${await resolveAccountOn(c, 'erin@a.test')}/follow`);
  await network.drain();
  const reply = await postStatus(erin, { status: 'Second', visibility: 'private', in_reply_to_id: parent.id });
  await network.drain();
  const shown = (await home(carol)).find(({ uri }) => uri === reply.uri);
  const { ancestors } = (await carol.get(`/api/v1/statuses/${shown?.id}/context`)).json as { ancestors: unknown[] };
  expect(ancestors).toMatchObject([{ uri: parent.uri, visibility: 'private' }]);
});

test('FED-03: the authorization of a private reply is fetched by a follower, and stays while only readers see it', async () => {
  await using s = await scene();
  await s.bob.post(`/api/v1/accounts/${s.alice.id}/follow`);
  const policy = { can_reply: { manual_approval: ['public'] } };
  const post = await postStatus(s.alice, { status: 'Ask me', visibility: 'private', interaction_policy: policy });
  const reply = await postStatus(s.bob, { status: 'May I?', visibility: 'private', in_reply_to_id: post.id });
  expect(await decideAll(s.alice, 'authorize')).toEqual(['reply']);
  await s.network.drain();
  const stored = await s.c.app.db
    .selectFrom('statuses')
    .leftJoin('interaction_requests as consent', 'consent.reply_id', 'statuses.id')
    .select(['statuses.visibility', 'consent.authorization_uri as proof'])
    .where('statuses.uri', '=', reply.uri)
    .executeTakeFirst();
  expect(stored).toEqual({ visibility: 'private', proof: expect.stringContaining('/interaction_authorizations/') });
  // The instance actor gets a 404, which says nothing about a private post.
  const proof = String(stored?.proof);
  expect(await isGoneAtOrigin(s.c.app, proof, { acceptsMissing: true })).toBe(true);

  const forged = { type: 'Delete', actor: 'https://a.test/users/alice', object: proof };
  await receiveForwardedRevocation(s.c.app, forged);
  const [kept] = await s.c.app.db.selectFrom('statuses').select('deleted_at').where('uri', '=', reply.uri).execute();
  expect(kept).toEqual({ deleted_at: null });
});
