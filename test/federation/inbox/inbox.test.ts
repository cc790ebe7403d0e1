import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import { peerScene } from '../peer-scene.ts';
import { resolveAccountOn, homeTimeline, postStatus, type StatusJson } from '../two-servers.ts';

const aliceUri = 'https://a.test/users/alice';
const forAlice = { cc: [aliceUri], tag: [{ type: 'Mention', href: aliceUri, name: '@alice@a.test' }] };

async function listMentions(user: TestUser): Promise<StatusJson[]> {
  const list = (await user.get('/api/v1/notifications?types[]=mention')).json as { status: StatusJson }[];
  return list.map(({ status }) => status);
}

async function countPending(server: TestServer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from inbox_activities`.execute(
    server.app.db,
  );
  return rows[0]?.count ?? 0;
}

test.each(['cavage', 'rfc9421'] as const)(
  'FED-03: a signed activity is accepted and processed (%s)',
  async (dialect) => {
    await using server = await peerScene();
    const { a, alice, eve } = server;
    expect(await eve.send(a, eve.create(eve.note(1, forAlice)), { dialect })).toBe(202);
    expect(await countPending(a)).toBe(1);
    await a.drain();
    expect(await listMentions(alice)).toMatchObject([{ content: '<p>Note 1</p>', account: { acct: 'eve@peer.test' } }]);
    expect(await countPending(a)).toBe(0);
  },
);

test('FED-03: the shared inbox, personal inboxes and the inbox of the instance actor accept signed activities', async () => {
  await using server = await peerScene();
  const { a, alice, eve } = server;
  const inboxes = ['/inbox', '/users/alice/inbox', '/actor/inbox'].map((path) => `https://a.test${path}`);
  for (const [number, inbox] of inboxes.entries()) {
    expect(await eve.send(a, eve.create(eve.note(number, forAlice)), { inbox }), inbox).toBe(202);
    expect(await eve.send(a, eve.create(eve.note(number, forAlice)), { inbox, headers: { digest: '' } }), inbox).toBe(
      401,
    );
  }
  await a.drain();
  // They are processed side by side.
  expect((await listMentions(alice)).map(({ content }) => content).toSorted()).toEqual(
    [0, 1, 2].map((number) => `<p>Note ${number}</p>`),
  );
});

test('FED-03: a post to nobody who is here is not stored, in whichever inbox of the server it arrives', async () => {
  await using server = await peerScene();
  const { a, alice, eve } = server;
  const addressees = ['users/nobody', 'ap/users/1', '@nobody', 'actor', 'users/a.test'].map(
    (path) => `https://a.test/${path}`,
  );
  for (const [number, to] of addressees.entries()) await eve.send(a, eve.create(eve.note(number, { to, cc: [] })));
  for (const path of ['actor/inbox', 'users/a.test/inbox']) {
    const inbox = `https://a.test/${path}`;
    await eve.send(a, eve.create(eve.note(path)), { inbox });
    await eve.send(a, eve.create(eve.note(`${path}/direct`, { to: [], cc: [] })), { inbox });
  }
  await a.drain();
  const stored = await a.app.db.selectFrom('statuses').select('uri').execute();
  expect(stored).toEqual([]);
  await eve.send(a, eve.create(eve.note('known', { to: aliceUri, cc: [] })));
  await a.drain();
  expect(await a.app.db.selectFrom('statuses').select('uri').execute()).toEqual([{ uri: `${eve.uri}/notes/known` }]);
  expect(alice.id).toBeDefined();
});

test('FED-03: an activity without a valid signature is refused', async () => {
  await using server = await peerScene();
  const { a, eve, peer } = server;
  const mallory = peer.actor('mallory');
  const activity = eve.create(eve.note(1, forAlice));
  expect(await eve.send(a, activity, { headers: { signature: '' } })).toBe(400);
  const payload = JSON.stringify(activity);
  for (const url of ['/inbox', '/users/alice/inbox', '/actor/inbox'])
    expect((await a.http.inject({ method: 'POST', url, payload })).statusCode, url).toBe(401);
  expect(await eve.send(a, activity, { body: JSON.stringify(eve.create(eve.note(2))) })).toBe(401);
  expect(await eve.send(a, activity, { headers: { digest: '' } })).toBe(401);
  expect(
    await eve.send(a, activity, { headers: { date: new Date(a.clock.now().getTime() - 86_400_000).toUTCString() } }),
  ).toBe(401);
  expect(await eve.send(a, activity, { as: { keyId: eve.keyId, privateKey: mallory.privateKey } })).toBe(401);
  expect(await eve.send(a, activity, { as: { keyId: `${eve.uri}#other`, privateKey: eve.privateKey } })).toBe(401);
  expect(await eve.send(a, activity, { inbox: 'https://b.test/inbox' })).toBe(401);
  expect(await countPending(a)).toBe(0);
});

test('FED-03: an activity of another actor than the signer is verified at its origin, or ignored', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer } = server;
  const mallory = peer.actor('mallory');
  const forged = eve.create(eve.note(1, { ...forAlice, content: '<p>Forged</p>' }));
  expect(await mallory.send(a, forged)).toBe(202);
  await a.drain();
  expect(await listMentions(alice)).toEqual([]);
  peer.serve(eve.note(1, { ...forAlice, content: '<p>Genuine</p>' }));
  expect(await mallory.send(a, { ...forged, id: `${eve.uri}/notes/1/again` })).toBe(202);
  await a.drain();
  expect(await listMentions(alice)).toMatchObject([{ content: '<p>Genuine</p>', account: { acct: 'eve@peer.test' } }]);
});

test('FED-03: an activity whose id, object or author is on another host is ignored', async () => {
  await using server = await peerScene();
  const { network, a, alice, eve } = server;
  const other = new Peer(network, 'other.test');
  const olga = other.actor('olga');
  const foreignObject = {
    ...eve.create({ ...eve.note(1, forAlice), id: 'https://other.test/notes/1' }),
    id: `${eve.uri}#1`,
  };
  const foreignAuthor = eve.create(eve.note(2, { ...forAlice, attributedTo: olga.uri }));
  const foreignId = { ...eve.create(eve.note(3, forAlice)), id: 'https://other.test/activities/1' };
  for (const activity of [foreignObject, foreignAuthor, foreignId]) expect(await eve.send(a, activity)).toBe(202);
  await a.drain();
  expect(await listMentions(alice)).toEqual([]);
});

test('FED-03: a key on another host, or one that its actor does not list, is not trusted', async () => {
  await using server = await peerScene();
  const { network, a, eve, peer } = server;
  const other = new Peer(network, 'other.test');
  const mallory = other.actor('mallory');
  const keyId = 'https://other.test/keys/1';
  other.documents.set('/keys/1', {
    '@context': 'https://w3id.org/security/v1',
    id: keyId,
    owner: eve.uri,
    publicKeyPem: mallory.publicKeyPem,
  });
  expect(await eve.send(a, eve.create(eve.note(1, forAlice)), { as: { keyId, privateKey: mallory.privateKey } })).toBe(
    401,
  );
  const hosted = 'https://peer.test/keys/2';
  peer.documents.set('/keys/2', {
    '@context': 'https://w3id.org/security/v1',
    id: hosted,
    owner: eve.uri,
    publicKeyPem: mallory.publicKeyPem,
  });
  expect(
    await eve.send(a, eve.create(eve.note(2, forAlice)), { as: { keyId: hosted, privateKey: mallory.privateKey } }),
  ).toBe(401);
  mallory.documentOverrides = { id: eve.uri };
  expect(await mallory.send(a, mallory.create(mallory.note(3, forAlice)))).toBe(401);
});

test('FED-03: a key with its own URL is accepted if the actor lists it', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer } = server;
  const keyId = `${eve.uri}/main-key`;
  const publicKey = { id: keyId, owner: eve.uri, publicKeyPem: eve.publicKeyPem };
  eve.documentOverrides = { publicKey };
  peer.serve({ id: eve.uri, type: 'Person', preferredUsername: 'eve', publicKey });
  peer.documents.set(new URL(keyId).pathname, peer.documents.get(new URL(eve.uri).pathname));
  peer.documents.delete(new URL(eve.uri).pathname);
  expect(await eve.send(a, eve.create(eve.note(1, forAlice)), { as: { keyId, privateKey: eve.privateKey } })).toBe(202);
  await a.drain();
  expect(await listMentions(alice)).toHaveLength(1);
});

test('FED-03: the key is fetched again once when a signature does not match', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer } = server;
  await eve.send(a, eve.create(eve.note(1, forAlice)));
  eve.rotateKey();
  expect(await eve.send(a, eve.create(eve.note(2, forAlice)))).toBe(202);
  await a.drain();
  expect(await listMentions(alice)).toHaveLength(2);
  peer.requestedPaths = [];
  const stranger = peer.actor('stranger');
  for (let round = 0; round < 3; round += 1) {
    expect(
      await eve.send(a, eve.create(eve.note(3)), { as: { keyId: eve.keyId, privateKey: stranger.privateKey } }),
    ).toBe(401);
  }
  expect(peer.requestedPaths).toEqual([]);
});

test('FED-03: many invented keys of one actor do not cause more requests to its server', async () => {
  await using server = await peerScene();
  const { a, eve, peer } = server;
  for (let number = 0; number < 5; number += 1) {
    expect(
      await eve.send(a, eve.activity('Like', aliceUri), {
        as: { keyId: `${eve.uri}#${number}`, privateKey: eve.privateKey },
      }),
    ).toBe(401);
  }
  expect(peer.requestedPaths.filter((path) => path === '/users/eve').length).toBeLessThanOrEqual(2);
});

test('FED-03: an activity received several times, one after another or at once, is processed once', async () => {
  await using server = await peerScene();
  const { a, alice, eve } = server;
  const bert = await a.user('bert');
  const bertUri = 'https://a.test/users/bert';
  const activity = eve.create(
    eve.note(1, { cc: [aliceUri, bertUri], tag: [...forAlice.tag, { type: 'Mention', href: bertUri, name: '@bert' }] }),
  );
  const statuses = await Promise.all([
    eve.send(a, activity),
    eve.send(a, activity, { inbox: `${aliceUri}/inbox` }),
    eve.send(a, activity, { inbox: `${bertUri}/inbox` }),
  ]);
  expect(statuses).toEqual([202, 202, 202]);
  expect(await countPending(a)).toBe(1);
  await a.drain();
  expect(await eve.send(a, activity)).toBe(202);
  expect(await countPending(a)).toBe(0);
  expect([(await listMentions(alice)).length, (await listMentions(bert)).length]).toEqual([1, 1]);
});

test('FED-03: a body that is too large, too deep or not a JSON object is refused', async () => {
  await using server = await peerScene();
  const { a, eve } = server;
  const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) as unknown;
  expect(await eve.send(a, eve.activity('Like', 'x'.repeat(1_100_000)))).toBe(413);
  expect(await eve.send(a, eve.activity('Like', deep))).toBe(400);
  expect(await eve.send(a, [])).toBe(400);
  expect(await eve.send(a, eve.activity('Like', aliceUri), { body: '{' })).toBe(400);
  expect(await eve.send(a, { ...eve.activity('Like', aliceUri), '@graph': [] })).toBe(400);
});

test('FED-03: the Delete of an unknown actor causes no request', async () => {
  await using server = await peerScene();
  const { a, eve, peer } = server;
  expect(await eve.send(a, eve.activity('Delete', eve.uri))).toBe(202);
  expect(peer.requestedPaths).toEqual([]);
  expect(await countPending(a)).toBe(0);
});

test('FED-03: a Create that arrives after its Delete is ignored, and only the author can delete', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer } = server;
  const mallory = peer.actor('mallory');
  await eve.send(a, eve.activity('Delete', { id: `${eve.uri}/notes/1`, type: 'Tombstone' }));
  await eve.send(a, eve.create(eve.note(1, forAlice)));
  await eve.send(a, eve.create(eve.note(2, forAlice)));
  await mallory.send(a, mallory.activity('Delete', `${eve.uri}/notes/2`));
  await mallory.send(a, mallory.activity('Delete', eve.uri));
  await mallory.send(a, mallory.activity('Delete', `${eve.uri}/notes/3`));
  await a.drain();
  await eve.send(a, eve.create(eve.note(3, forAlice)));
  await a.drain();
  expect((await listMentions(alice)).map(({ content }) => content).toSorted()).toEqual([
    '<p>Note 2</p>',
    '<p>Note 3</p>',
  ]);
  await eve.send(a, eve.activity('Delete', `${eve.uri}/notes/2`));
  await a.drain();
  expect((await listMentions(alice)).map(({ content }) => content)).toEqual(['<p>Note 3</p>']);
});

test('FED-03: only the actor itself can update its profile', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer } = server;
  const mallory = peer.actor('mallory');
  await eve.send(a, eve.create(eve.note(1, forAlice)));
  await mallory.send(a, mallory.activity('Update', { ...eve.json(), name: 'Owned' }));
  await a.drain();
  const id = await resolveAccountOn(a, 'eve@peer.test');
  expect((await alice.get(`/api/v1/accounts/${id}`)).json).toMatchObject({ display_name: '' });
  await eve.send(a, eve.activity('Update', { ...eve.json(), name: 'Eve', inbox: 'https://other.test/inbox' }));
  await a.drain();
  expect((await alice.get(`/api/v1/accounts/${id}`)).json).toMatchObject({ display_name: '' });
  await eve.send(
    a,
    eve.activity('Update', { ...eve.json(), name: 'Eve', summary: '<p onclick="x()">Hi<script>x()</script></p>' }),
  );
  await a.drain();
  expect((await alice.get(`/api/v1/accounts/${id}`)).json).toMatchObject({ display_name: 'Eve', note: '<p>Hi</p>' });
});

test('FED-03: an Accept of a follow that was not requested has no effect', async () => {
  await using server = await peerScene();
  const { a, alice, eve } = server;
  const follow = { id: `${aliceUri}#follows/1`, type: 'Follow', actor: aliceUri, object: eve.uri };
  await eve.send(a, eve.activity('Accept', follow));
  await a.drain();
  const id = await resolveAccountOn(a, 'eve@peer.test');
  expect((await alice.get(`/api/v1/accounts/relationships?id[]=${id}`)).json).toMatchObject([
    { following: false, requested: false },
  ]);
});

test('FED-03: only the followed account can accept or reject a follow', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer, network } = server;
  const mallory = peer.actor('mallory');
  const id = await resolveAccountOn(a, 'eve@peer.test');
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await network.drain();
  const sent = peer.received.find(({ activity }) => activity['type'] === 'Follow')?.activity;
  expect(sent).toMatchObject({
    actor: aliceUri,
    object: eve.uri,
    id: expect.stringMatching(/^https:\/\/a\.test\/users\/alice#follows\/\d+$/),
  });
  await mallory.send(a, mallory.activity('Accept', sent));
  await mallory.send(a, mallory.activity('Accept', sent?.['id']));
  await a.drain();
  const relation = async () => (await alice.get(`/api/v1/accounts/relationships?id[]=${id}`)).json as unknown[];
  expect(await relation()).toMatchObject([{ following: false }]);
  await eve.send(a, eve.activity('Accept', sent?.['id']));
  await a.drain();
  expect(await relation()).toMatchObject([{ following: true }]);
  await mallory.send(a, mallory.activity('Reject', sent));
  await a.drain();
  expect(await relation()).toMatchObject([{ following: true }]);
  await eve.send(a, eve.activity('Reject', sent));
  await a.drain();
  expect(await relation()).toMatchObject([{ following: false }]);
});

test('FED-03: only the actor of a Like can undo it, and it is matched by its object', async () => {
  await using server = await peerScene();
  const { a, alice, eve, peer } = server;
  const mallory = peer.actor('mallory');
  const status = await postStatus(alice, { status: 'Like me' });
  const secret = await postStatus(alice, { status: 'Not you', visibility: 'private' });
  const like = eve.activity('Like', status.uri);
  await eve.send(a, like);
  await eve.send(a, eve.activity('Like', secret.uri));
  await mallory.send(a, mallory.activity('Undo', like));
  await a.drain();
  const count = async (id: string) => ((await alice.get(`/api/v1/statuses/${id}`)).json as StatusJson).favourites_count;
  expect([await count(status.id), await count(secret.id)]).toEqual([1, 0]);
  await eve.send(a, eve.activity('Undo', { type: 'Like', actor: eve.uri, object: status.uri }));
  await a.drain();
  expect(await count(status.id)).toBe(0);
});

test('FED-03: a post embedded in an Announce is fetched from its origin, and only if someone follows the actor', async () => {
  await using server = await peerScene();
  const { network, a, alice, eve, peer } = server;
  const other = new Peer(network, 'other.test');
  const olga = other.actor('olga');
  const forged = { ...olga.note(1), content: '<p>Forged</p>' };
  await eve.send(a, eve.activity('Announce', forged));
  await a.drain();
  expect(other.requestedPaths).toEqual([]);
  const id = await resolveAccountOn(a, 'eve@peer.test');
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await network.drain();
  const sent = peer.received.find(({ activity }) => activity['type'] === 'Follow')?.activity;
  await eve.send(a, eve.activity('Accept', sent));
  await eve.send(a, eve.activity('Announce', forged, { to: ['as:Public'] }));
  await a.drain();
  expect(await homeTimeline(alice)).toEqual([]);
  other.serve(olga.note(2));
  await eve.send(a, eve.activity('Announce', { ...olga.note(2), content: '<p>Forged</p>' }, { to: ['as:Public'] }));
  await a.drain();
  expect(await homeTimeline(alice)).toMatchObject([
    { reblog: { content: '<p>Note 2</p>', account: { acct: 'olga@other.test' } } },
  ]);
});

test('FED-03: a group may announce whole activities; their objects are fetched', async () => {
  await using server = await peerScene();
  const { network, a, alice, eve, peer } = server;
  const olga = peer.actor('olga');
  const id = await resolveAccountOn(a, 'eve@peer.test');
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await network.drain();
  await eve.send(a, eve.activity('Accept', peer.received[0]?.activity));
  peer.serve(olga.note(1, { type: 'Page', name: 'Title', url: `${olga.uri}/notes/1`, attributedTo: [olga.uri] }));
  await eve.send(a, eve.activity('Announce', olga.create(olga.note(1)), { to: 'Public', cc: [] }));
  await a.drain();
  const [first] = await homeTimeline(alice);
  expect(first?.reblog?.content).toContain('Title');
});

test('FED-05: activities of a suspended domain and its subdomains are refused', async () => {
  await using server = await peerScene();
  const { network, a, alice } = server;
  await a.db
    .insertInto('domain_blocks')
    .values({
      id: '1' as never,
      domain: 'bad.test',
      severity: 'suspend',
      created_at: a.clock.now(),
      private_comment: null,
      public_comment: null,
    })
    .execute();
  const peer = new Peer(network, 'sub.bad.test');
  const eve = peer.actor('eve');
  expect(await eve.send(a, eve.create(eve.note(1, forAlice)))).toBe(403);
  expect(await eve.send(a, eve.activity('Follow', aliceUri))).toBe(403);
  await network.drain();
  expect([peer.requestedPaths, peer.received]).toEqual([[], []]);
  await postStatus(alice, { status: 'Hello @eve@sub.bad.test' });
  await network.drain();
  expect([peer.requestedPaths, peer.received]).toEqual([[], []]);
});

test('FED-03: a post that concerns no local account is not stored', async () => {
  await using server = await peerScene();
  const { a, eve } = server;
  await eve.send(a, eve.create(eve.note(1)));
  await a.drain();
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from statuses`.execute(a.app.db);
  expect(rows).toEqual([{ count: 0 }]);
});

test('FED-03: single values, abbreviated Public and language maps are accepted', async () => {
  await using server = await peerScene();
  const { a, alice, eve } = server;
  const note = eve.note(1, {
    to: 'as:Public',
    cc: aliceUri,
    tag: forAlice.tag[0],
    content: undefined,
    contentMap: { de: '<p>Hallo</p>' },
  });
  await eve.send(a, eve.create(note));
  await a.drain();
  expect(await listMentions(alice)).toMatchObject([{ visibility: 'public', content: '<p>Hallo</p>', language: 'de' }]);
});

test('FED-03: after a crash the lease expires and the activity is processed again', async () => {
  await using server = await peerScene();
  const { a, alice, eve } = server;
  await eve.send(a, eve.create(eve.note(1, forAlice)));
  await a.db
    .updateTable('inbox_activities')
    .set({ leased_until: new Date(a.clock.now().getTime() + 60_000) })
    .execute();
  await a.drain();
  expect(await listMentions(alice)).toEqual([]);
  a.clock.advance(61);
  await a.drain();
  expect(await listMentions(alice)).toHaveLength(1);
});
