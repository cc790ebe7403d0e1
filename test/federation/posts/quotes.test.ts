import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followingScene, followPeer, isoTime, type PeerScene } from '../peer-scene.ts';
import {
  resolveAccountOn,
  followAcross,
  postStatus,
  resolveStatusOn,
  twoServers,
  type TwoServers,
} from '../two-servers.ts';

type Document = Record<string, unknown>;

const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const openToAll = { interactionPolicy: { canQuote: { automaticApproval: [publicCollection] } } };

async function getStatus(user: TestUser, id: string | undefined) {
  const response = await user.get(`/api/v1/statuses/${id}`);
  return response.status === 200 ? response.json : undefined;
}

async function getDocument(server: TestServer, uri: string): Promise<Document> {
  const path = new URL(uri).pathname;
  const response = await server.http.inject({
    method: 'GET',
    url: path,
    headers: { host: server.app.config.webDomain, accept: 'application/activity+json' },
  });
  return response.statusCode === 200 ? (response.json() as Document) : { status: response.statusCode };
}

const listNotifications = async (user: TestUser): Promise<{ type: string; account: { acct: string } }[]> =>
  (await user.get('/api/v1/notifications')).json;

/** bob of b.test posts, and alice of a.test, who may follow him, quotes the post. */
async function quoteAcross(servers: TwoServers, body: Document = {}) {
  const { network, a, alice, bob } = servers;
  const first = await postStatus(bob, { status: 'First', ...body });
  const onA = await resolveStatusOn(a, first.uri);
  const response = await alice.post('/api/v1/statuses', { status: 'Look', quoted_status_id: onA });
  return { first, onA, response, quoting: response.json, drain: () => network.drain() };
}

test('a quote of a remote post is pending until its server agrees, and all servers get the result', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  await followAcross(servers, b, bob, 'alice@a.test');
  const { first, onA, quoting } = await quoteAcross(servers);
  expect(quoting.quote).toEqual({ state: 'pending', quoted_status: null });
  await network.drain();
  expect((await getStatus(alice, quoting.id)).quote).toMatchObject({ state: 'accepted', quoted_status: { id: onA } });
  const onB = await resolveStatusOn(b, quoting.uri);
  expect((await getStatus(bob, onB)).quote).toMatchObject({ state: 'accepted', quoted_status: { id: first.id } });
  expect((await getStatus(bob, first.id)).quotes_count).toBe(1);
  expect((await getStatus(alice, onA)).quotes_count).toBe(1);
  expect((await listNotifications(bob)).filter(({ type }) => type === 'quote')).toMatchObject([
    { account: { acct: 'alice@a.test' } },
  ]);
  const note = await getDocument(a, quoting.uri);
  expect(note).toMatchObject({ quote: first.uri, quoteUri: first.uri, _misskey_quote: first.uri });
  expect(note['cc']).toContain('https://b.test/users/bob');
  const authorization = String(note['quoteAuthorization']);
  expect(authorization).toMatch(/^https:\/\/b\.test\/users\/bob\/quote_authorizations\/\d+$/);
  expect(await getDocument(b, authorization)).toMatchObject({
    id: authorization,
    type: 'QuoteAuthorization',
    attributedTo: 'https://b.test/users/bob',
    interactingObject: quoting.uri,
    interactionTarget: first.uri,
  });
  expect(await getDocument(b, authorization.replace('/bob/', '/nobody/'))).toEqual({ status: 404 });
});

test('a viewer who blocks a domain sees that a quoted post of it is blocked', async () => {
  await using servers = await twoServers();
  const { a } = servers;
  const carol = await a.user('carol');
  const { onA, quoting, drain } = await quoteAcross(servers);
  await drain();
  expect((await getStatus(carol, quoting.id)).quote.state).toBe('accepted');
  await carol.post('/api/v1/domain_blocks', { domain: 'b.test' });
  expect((await getStatus(carol, quoting.id)).quote).toMatchObject({
    state: 'blocked_domain',
    quoted_status: { id: onA },
  });
});

test('a third server accepts a quote once it has verified the authorization, and fetches the quoted post', async () => {
  await using servers = await twoServers();
  const { network, alice } = servers;
  const c = await network.start('c.test');
  const carol = await c.user('carol');
  await carol.post(`/api/v1/accounts/${await resolveAccountOn(c, 'alice@a.test')}/follow`);
  await network.drain();
  const { first, quoting } = await quoteAcross(servers);
  await network.drain();
  const [shown] = (await carol.get('/api/v1/timelines/home')).json;
  expect(shown).toMatchObject({ uri: quoting.uri, quote: { state: 'accepted', quoted_status: { uri: first.uri } } });
  expect(shown.content).toContain('class="quote-inline"');
  expect((await getStatus(alice, quoting.id)).quote.state).toBe('accepted');
});

test('a post that nobody may quote cannot be quoted, and a request that crosses the change is rejected', async () => {
  await using servers = await twoServers();
  const { b, alice, bob, network } = servers;
  const closed = await quoteAcross(servers, { quote_approval_policy: 'nobody' });
  expect(closed.response.status).toBe(404);
  const { first, quoting, onA } = await quoteAcross(servers);
  expect((await getStatus(alice, onA)).quote_approval).toMatchObject({
    automatic: ['public'],
    current_user: 'automatic',
  });
  await bob.put(`/api/v1/statuses/${first.id}/interaction_policy`, { quote_approval_policy: 'nobody' });
  await network.drain();
  expect((await getStatus(alice, quoting.id)).quote).toEqual({ state: 'rejected', quoted_status: null });
  expect((await getStatus(bob, first.id)).quotes_count).toBe(0);
  expect(await getDocument(b, first.uri)).toMatchObject({
    interactionPolicy: { canQuote: { automaticApproval: ['https://b.test/users/bob'] } },
  });
});

test('the quote policy of a post reaches other servers with the post and when it changes', async () => {
  await using servers = await twoServers();
  const { a, alice, bob, network } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const post = await postStatus(bob, { status: 'Some', quote_approval_policy: 'followers' });
  await network.drain();
  const onA = await resolveStatusOn(a, post.uri);
  expect((await getStatus(alice, onA)).quote_approval).toEqual({
    automatic: ['followers'],
    manual: [],
    current_user: 'automatic',
  });
  const dave = await a.user('dave');
  expect((await getStatus(dave, onA)).quote_approval.current_user).toBe('denied');
  await bob.put(`/api/v1/statuses/${post.id}/interaction_policy`, { quote_approval_policy: 'nobody' });
  await network.drain();
  expect(await getStatus(alice, onA)).toMatchObject({
    quote_approval: { automatic: [], current_user: 'denied' },
    edited_at: null,
  });
});

test('a revoked quote is removed on every server, and its authorization is gone', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const { first, quoting, drain } = await quoteAcross(servers);
  await drain();
  const authorization = String((await getDocument(a, quoting.uri))['quoteAuthorization']);
  const onB = await resolveStatusOn(b, quoting.uri);
  const revoked = await bob.post(`/api/v1/statuses/${first.id}/quotes/${onB}/revoke`);
  expect(revoked.json).toMatchObject({ uri: quoting.uri, quote: { state: 'revoked' } });
  await network.drain();
  expect((await getStatus(alice, quoting.id)).quote).toEqual({ state: 'revoked', quoted_status: null });
  expect(await getDocument(b, authorization)).toEqual({ status: 404 });
  expect(await getDocument(a, quoting.uri)).not.toHaveProperty('quoteAuthorization');
});

test('deleting either post reaches the other server', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const one = await quoteAcross(servers);
  const two = await quoteAcross(servers);
  await network.drain();
  await bob.delete(`/api/v1/statuses/${one.first.id}`);
  await alice.delete(`/api/v1/statuses/${two.quoting.id}`);
  await network.drain();
  expect((await getStatus(alice, one.quoting.id)).quote).toEqual({ state: 'deleted', quoted_status: null });
  expect((await getDocument(a, one.quoting.uri))['quote']).toEqual({ id: one.first.uri, type: 'Tombstone' });
  expect((await getStatus(bob, two.first.id)).quotes_count).toBe(0);
  expect(await resolveStatusOn(b, two.quoting.uri)).toBeUndefined();
});

async function receiveNote({ a }: PeerScene, by: PeerActor, note: Document) {
  expect(await by.send(a, by.create(note))).toBe(202);
  await a.drain();
  return resolveStatusOn(a, String(note['id']));
}

const receivedOfType = ({ peer }: PeerScene, type: string) =>
  peer.received.map(({ activity }) => activity).filter((activity) => activity['type'] === type);

test('a QuoteRequest is accepted or rejected each time it is sent; an inconsistent one is ignored', async () => {
  await using s = await followingScene();
  const { a, alice, peer, eve } = s;
  const first = await postStatus(alice, { status: 'First' });
  const note = eve.note(1, { quote: first.uri, published: isoTime(a) });
  const request = { id: `${eve.uri}/requests/1`, instrument: note };
  await eve.send(a, eve.activity('QuoteRequest', first.uri, request));
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  expect((await getStatus(alice, id)).quote).toMatchObject({ state: 'accepted', quoted_status: { id: first.id } });
  const [accept] = receivedOfType(s, 'Accept');
  expect(accept).toMatchObject({
    id: expect.stringMatching(/^https:\/\/a\.test\/users\/alice#accepts\/quote_requests\/\d+$/),
    actor: 'https://a.test/users/alice',
    object: { id: request.id, type: 'QuoteRequest', actor: eve.uri, object: first.uri, instrument: note['id'] },
    result: expect.stringMatching(/^https:\/\/a\.test\/users\/alice\/quote_authorizations\/\d+$/),
  });
  expect(await getDocument(a, String(accept?.['result']))).toMatchObject({ interactingObject: note['id'] });
  // Also by the whole IRI of its type.
  const iri = 'https://w3id.org/fep/044f#QuoteRequest';
  await eve.send(a, eve.activity(iri, first.uri, { id: `${eve.uri}/requests/2`, instrument: note['id'] }));
  await a.drain();
  expect(receivedOfType(s, 'Accept')).toHaveLength(2);
  expect((await getStatus(alice, first.id)).quotes_count).toBe(1);

  // Revoked: a new request does not restore it.
  await alice.post(`/api/v1/statuses/${first.id}/quotes/${id}/revoke`);
  await a.drain();
  const authorization = accept?.['result'];
  expect(receivedOfType(s, 'Delete')).toMatchObject([
    { id: `${String(authorization)}#delete`, object: { id: authorization, type: 'QuoteAuthorization' } },
  ]);
  await eve.send(a, eve.activity('QuoteRequest', first.uri, { id: `${eve.uri}/requests/3`, instrument: note['id'] }));
  await a.drain();
  expect(receivedOfType(s, 'Reject')).toMatchObject([
    {
      id: expect.stringMatching(/^https:\/\/a\.test\/users\/alice#rejects\/quote_requests\/\d+$/),
      object: { id: `${eve.uri}/requests/3` },
    },
  ]);
  expect((await getStatus(alice, id)).quote.state).toBe('revoked');

  // A post of another actor, a post that quotes another one, and an id on another host.
  const [mallory, other] = [peer.actor('mallory'), await postStatus(alice, { status: 'Other' })];
  const foreign = mallory.note(2, { quote: other.uri });
  peer.serve(foreign);
  const count = peer.received.length;
  await eve.send(a, eve.activity('QuoteRequest', other.uri, { instrument: foreign }));
  await eve.send(a, eve.activity('QuoteRequest', other.uri, { instrument: eve.note(3, { quote: first.uri }) }));
  await eve.send(a, eve.activity('QuoteRequest', other.uri, { id: 'https://else.test/1', instrument: note }));
  await a.drain();
  expect(peer.received).toHaveLength(count);
  expect((await getStatus(alice, other.id)).quotes_count).toBe(0);
});

test('a QuoteRequest by a blocked account is rejected, and one for a post that is not public is ignored', async () => {
  await using s = await followingScene();
  const { a, alice, eve } = s;
  const [open, hidden] = [
    await postStatus(alice, { status: 'Open' }),
    await postStatus(alice, { status: 'Hidden', visibility: 'private' }),
  ];
  await eve.send(a, eve.activity('QuoteRequest', hidden.uri, { instrument: eve.note(1, { quote: hidden.uri }) }));
  await alice.post(`/api/v1/accounts/${await resolveAccountOn(a, 'eve@peer.test')}/block`);
  await eve.send(a, eve.activity('QuoteRequest', open.uri, { instrument: eve.note(2, { quote: open.uri }) }));
  await a.drain();
  expect(receivedOfType(s, 'Accept')).toHaveLength(0);
  expect(receivedOfType(s, 'Reject')).toMatchObject([{ object: { object: open.uri } }]);
});

test('a quote of a local post without a QuoteRequest is pending, whatever authorization it names', async () => {
  await using s = await followingScene();
  const { a, alice, eve, peer } = s;
  const first = await postStatus(alice, { status: 'First' });
  const granted = eve.note(1, { quote: first.uri });
  await eve.send(a, eve.activity('QuoteRequest', first.uri, { instrument: granted }));
  await a.drain();
  const authorization = String(receivedOfType(s, 'Accept')[0]?.['result']);
  const forged = eve.note(2, { quote: first.uri, quoteAuthorization: authorization });
  const forgedAuthorization = `${eve.uri}/authorizations/1`;
  peer.serve({
    id: forgedAuthorization,
    type: 'QuoteAuthorization',
    attributedTo: eve.uri,
    interactingObject: `${eve.uri}/notes/3`,
    interactionTarget: first.uri,
  });
  const selfAuthorized = eve.note(3, { quote: first.uri, quoteAuthorization: forgedAuthorization });
  for (const note of [forged, selfAuthorized]) {
    const id = await receiveNote(s, eve, note);
    expect((await getStatus(alice, id)).quote).toEqual({ state: 'pending', quoted_status: null });
  }
  expect((await getStatus(alice, first.id)).quotes_count).toBe(1);
});

test('an authorization counts if it names both posts and is by the quoted author; else the quote is pending or rejected', async () => {
  await using s = await followingScene();
  const { network, a, alice, eve } = s;
  const far = new Peer(network, 'far.test');
  const zoe = far.actor('zoe');
  const quoted = zoe.note(1, openToAll);
  far.serve(quoted);
  const serveAuthorization = (number: number, members: Document = {}): string => {
    const id = `${zoe.uri}/authorizations/${number}`;
    far.serve({
      id,
      type: 'QuoteAuthorization',
      attributedTo: zoe.uri,
      interactingObject: `${eve.uri}/notes/${number}`,
      interactionTarget: quoted['id'],
      ...members,
    });
    return id;
  };
  const states: Record<string, unknown> = {};
  const authorizations = {
    good: serveAuthorization(1),
    'another post': serveAuthorization(2, { interactingObject: `${eve.uri}/notes/1` }),
    'another target': serveAuthorization(3, { interactionTarget: `${zoe.uri}/notes/9` }),
    'another author': serveAuthorization(4, { attributedTo: eve.uri }),
    'another type': serveAuthorization(5, { type: 'LikeAuthorization' }),
    'another host': `${eve.uri}/authorizations/6`,
    nothing: `${zoe.uri}/authorizations/7`,
  };
  s.peer.serve({
    id: `${eve.uri}/authorizations/6`,
    type: 'QuoteAuthorization',
    attributedTo: zoe.uri,
    interactingObject: `${eve.uri}/notes/6`,
    interactionTarget: quoted['id'],
  });
  let number = 0;
  for (const [name, quoteAuthorization] of Object.entries(authorizations)) {
    number += 1;
    const id = await receiveNote(s, eve, eve.note(number, { quote: quoted['id'], quoteAuthorization }));
    states[name] = (await getStatus(alice, id)).quote.state;
  }
  expect(states).toEqual({
    good: 'accepted',
    'another post': 'pending',
    'another target': 'pending',
    'another author': 'pending',
    'another type': 'pending',
    'another host': 'pending',
    nothing: 'rejected',
  });
  expect((await getStatus(alice, await resolveStatusOn(a, String(quoted['id'])))).quotes_count).toBe(1);
});

test('a 404 does not reject the authorization of a quote in a private post, because strangers always get it', async () => {
  await using s = await followingScene();
  const { alice, eve, peer } = s;
  const quoted = eve.note('quoted', openToAll);
  await receiveNote(s, eve, quoted);
  const zoe = peer.actor('zoe');
  await followPeer(s.a, alice, peer, zoe);
  const states: Record<string, unknown> = {};
  for (const status of [404, 410]) {
    const proof = `${eve.uri}/authorizations/${status}`;
    peer.statuses.set(new URL(proof).pathname, status);
    const members = { to: [`${zoe.uri}/followers`], cc: [], quote: quoted['id'], quoteAuthorization: proof };
    const id = await receiveNote(s, zoe, zoe.note(`quoting-${status}`, members));
    states[status] = (await getStatus(alice, id)).quote.state;
  }
  expect(states).toEqual({ 404: 'pending', 410: 'rejected' });
});

test('an Update adds, replaces or removes a quote or its authorization; only the quoted author can delete the latter', async () => {
  await using s = await followingScene();
  const { network, a, alice, eve } = s;
  const far = new Peer(network, 'far.test');
  const zoe = far.actor('zoe');
  for (const number of [1, 2]) {
    far.serve(zoe.note(number));
    const authorization = {
      type: 'QuoteAuthorization',
      attributedTo: zoe.uri,
      interactingObject: `${eve.uri}/notes/1`,
    };
    far.serve({
      ...authorization,
      id: `${zoe.uri}/authorizations/${number}`,
      interactionTarget: `${zoe.uri}/notes/${number}`,
    });
  }
  const id = await receiveNote(s, eve, eve.note(1, { published: isoTime(a) }));
  const update = async (members: Document) => {
    await eve.send(a, eve.activity('Update', eve.note(1, { published: isoTime(a), ...members })));
    await a.drain();
    return (await getStatus(alice, id)).quote;
  };
  const one = { quote: `${zoe.uri}/notes/1` };
  const proof = { quoteAuthorization: `${zoe.uri}/authorizations/1` };
  expect(await update(one)).toMatchObject({ state: 'pending' });
  expect(await update({ ...one, ...proof })).toMatchObject({ state: 'accepted', quoted_status: { uri: one.quote } });
  const quoted = await resolveStatusOn(a, one.quote);
  expect((await getStatus(alice, quoted)).quotes_count).toBe(1);
  const two = { quote: `${zoe.uri}/notes/2`, quoteAuthorization: `${zoe.uri}/authorizations/2` };
  expect(await update(two)).toMatchObject({ state: 'accepted', quoted_status: { uri: two.quote } });
  expect((await getStatus(alice, quoted)).quotes_count).toBe(0);
  expect(await update({})).toBeNull();
  expect(await update({ ...one, ...proof })).toMatchObject({ state: 'accepted' });
  await eve.send(a, eve.activity('Delete', { id: proof.quoteAuthorization, type: 'QuoteAuthorization' }));
  await a.drain();
  expect((await getStatus(alice, id)).quote.state).toBe('accepted');
  await zoe.send(a, zoe.activity('Delete', { id: proof.quoteAuthorization, type: 'QuoteAuthorization' }));
  await a.drain();
  expect((await getStatus(alice, id)).quote).toEqual({ state: 'revoked', quoted_status: null });
  expect(await update({ quote: { type: 'Tombstone' } })).toEqual({ state: 'deleted', quoted_status: null });
});

test('a quoted post that could not be fetched is fetched again later', async () => {
  await using s = await followingScene();
  const { network, a, alice, eve } = s;
  const far = new Peer(network, 'far.test');
  const zoe = far.actor('zoe');
  const authorization = { type: 'QuoteAuthorization', attributedTo: zoe.uri, interactingObject: `${eve.uri}/notes/1` };
  far.serve(zoe.note(1));
  far.serve({ ...authorization, id: `${zoe.uri}/authorizations/1`, interactionTarget: `${zoe.uri}/notes/1` });
  network.takeDown('far.test');
  const members = { quote: `${zoe.uri}/notes/1`, quoteAuthorization: `${zoe.uri}/authorizations/1` };
  const id = await receiveNote(s, eve, eve.note(1, members));
  expect((await getStatus(alice, id)).quote.state).toBe('pending');
  network.bringUp('far.test');
  a.clock.advance(1_000);
  await a.drain();
  expect((await getStatus(alice, id)).quote).toMatchObject({
    state: 'accepted',
    quoted_status: { uri: members.quote },
  });
});

test('a legacy quote is ignored, unless it quotes the same author', async () => {
  await using s = await followingScene();
  const { network, alice, eve, peer } = s;
  const far = new Peer(network, 'far.test');
  const zoe = far.actor('zoe');
  far.serve(zoe.note(1));
  peer.serve(eve.note('old'));
  const first = await postStatus(alice, { status: 'First' });
  for (const [number, name] of ['quoteUrl', 'quoteUri', '_misskey_quote'].entries()) {
    for (const target of [`${zoe.uri}/notes/1`, first.uri]) {
      const id = await receiveNote(s, eve, eve.note(`${name}-${target.length}`, { [name]: target }));
      expect((await getStatus(alice, id)).quote).toBeNull();
    }
    const id = await receiveNote(s, eve, eve.note(number, { [name]: `${eve.uri}/notes/old` }));
    expect((await getStatus(alice, id)).quote).toMatchObject({
      state: 'accepted',
      quoted_status: { uri: `${eve.uri}/notes/old` },
    });
  }
  expect(far.requestedPaths.filter((path) => path.includes('/notes/'))).toEqual([]);
  expect((await listNotifications(alice)).filter(({ type }) => type === 'quote')).toEqual([]);
});

test('endless chains of quotes are followed to a limit', async () => {
  await using s = await followingScene();
  const { alice, eve, peer } = s;
  for (let number = 1; number < 9; number += 1) {
    peer.serve(eve.note(number, { quote: `${eve.uri}/notes/${number + 1}` }));
  }
  const id = await receiveNote(s, eve, eve.note(0, { quote: `${eve.uri}/notes/1` }));
  expect((await getStatus(alice, id)).quote).toMatchObject({
    state: 'accepted',
    quoted_status: { quote: { state: 'accepted' } },
  });
  expect(peer.requestedPaths.filter((path) => path.includes('/notes/')).map((path) => path.split('/').at(-1))).toEqual([
    '1',
    '2',
  ]);
});

test('an Accept counts only from the quoted author, with an authorization on its server, while the quote is pending', async () => {
  await using s = await followingScene();
  const { a, alice, eve, peer, network } = s;
  const id = await receiveNote(s, eve, eve.note(1, openToAll));
  const { json } = await alice.post('/api/v1/statuses', { status: 'Look', quoted_status_id: id });
  await a.drain();
  const [request] = receivedOfType(s, 'QuoteRequest');
  expect(request).toMatchObject({
    actor: 'https://a.test/users/alice',
    object: `${eve.uri}/notes/1`,
    instrument: { id: json.uri, type: 'Note', quote: `${eve.uri}/notes/1` },
  });
  const stateAfter = async (by: PeerActor, type: string, members: Document) => {
    await by.send(a, by.activity(type, request?.['id'], members));
    await a.drain();
    return (await getStatus(alice, json.id)).quote.state;
  };
  const [mallory, result] = [peer.actor('mallory'), `${eve.uri}/authorizations/1`];
  await resolveAccountOn(a, 'mallory@peer.test');
  expect(await stateAfter(mallory, 'Accept', { result })).toBe('pending');
  expect(await stateAfter(mallory, 'Reject', {})).toBe('pending');
  expect(await stateAfter(eve, 'Accept', {})).toBe('pending');
  expect(await stateAfter(eve, 'Accept', { result: 'https://else.test/authorizations/1' })).toBe('pending');
  expect(await stateAfter(eve, 'Accept', { result })).toBe('accepted');
  expect((await getDocument(a, json.uri))['quoteAuthorization']).toBe(result);
  const update = receivedOfType(s, 'Update').at(-1);
  expect(update).toMatchObject({ object: { id: json.uri, quoteAuthorization: result } });
  expect(await stateAfter(eve, 'Reject', {})).toBe('revoked');
  expect(await stateAfter(eve, 'Accept', { result })).toBe('revoked');
  expect(network.requests.filter(({ url }) => url === result)).toEqual([]);
});

test('in secure mode an authorization requires a signature', async () => {
  await using network = new Network();
  const a = await network.start('a.test', { settings: { SECURE_MODE: 'true' } });
  const alice = await a.user('alice');
  const first = await postStatus(alice, { status: 'First' });
  const { json } = await alice.post('/api/v1/statuses', { status: 'Me', quoted_status_id: first.id });
  const { rows } = await a.app.pool.query('select id from quotes where status_id = $1', [json.id]);
  const uri = `https://a.test/users/alice/quote_authorizations/${rows[0].id}`;
  expect(await getDocument(a, uri)).toEqual({ status: 401 });
});
