import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followPeer } from '../peer-scene.ts';
import { resolveAccountOn, resolveStatusOn } from '../two-servers.ts';

/** eve posts on peer.test, alice follows her, and mallory of bad.test forwards activities that eve did not sign. */
async function scene() {
  const network = new Network();
  const a = await network.start('a.test');
  const peer = new Peer(network, 'peer.test');
  const alice = await a.user('alice');
  const eve = peer.actor('eve');
  const mallory = new Peer(network, 'bad.test').actor('mallory');
  await followPeer(a, alice, peer, eve);
  return {
    a,
    alice,
    peer,
    eve,
    mallory,
    /** Returns whether a.test still has the object after mallory forwarded its Delete. */
    async survivesForwardedDelete(uri: string): Promise<boolean> {
      await mallory.send(a, eve.activity('Delete', { id: uri, type: 'Tombstone' }));
      await a.drain();
      return (
        (
          await a.app.db
            .selectFrom('statuses')
            .select('id')
            .where('uri', '=', uri)
            .where('deleted_at', 'is', null)
            .execute()
        ).length === 1
      );
    },
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

const aliceUri = 'https://a.test/users/alice';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

/** The addressees for each visibility. */
const audiences = (eve: PeerActor) => ({
  public: { to: [publicCollection], cc: [`${eve.uri}/followers`] },
  unlisted: { to: [`${eve.uri}/followers`], cc: [publicCollection] },
  private: { to: [`${eve.uri}/followers`], cc: [] },
  direct: { to: [aliceUri], cc: [], tag: [{ type: 'Mention', href: aliceUri, name: '@alice@a.test' }] },
});

test('FED-03: a 404 does not prove a forwarded Delete of a private or direct post, because strangers always get it', async () => {
  await using s = await scene();
  const survived: Record<string, boolean> = {};
  for (const [visibility, audience] of Object.entries(audiences(s.eve))) {
    const note = s.eve.note(visibility, audience);
    await s.eve.send(s.a, s.eve.create(note));
    await s.a.drain();
    const id = await resolveStatusOn(s.a, String(note['id']));
    expect((await s.alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ visibility });
    survived[visibility] = await s.survivesForwardedDelete(String(note['id']));
  }
  expect(survived).toEqual({ public: false, unlisted: false, private: true, direct: true });
});

test('FED-03: a 410 or a Tombstone proves a forwarded Delete, whatever the visibility', async () => {
  await using s = await scene();
  const audience = audiences(s.eve).direct;
  const origins: Record<string, (path: string, uri: string) => void> = {
    'served as before': (_path, uri) => s.peer.serve({ ...s.eve.note(1, audience), id: uri }),
    forbidden: (path) => s.peer.statuses.set(path, 403),
    gone: (path) => s.peer.statuses.set(path, 410),
    'a Tombstone': (_path, uri) => s.peer.serve({ id: uri, type: 'Tombstone' }),
    'a Tombstone of another post': (path) =>
      s.peer.documents.set(path, {
        '@context': publicCollection.split('#')[0],
        id: 'https://peer.test/other',
        type: 'Tombstone',
      }),
  };
  s.peer.serve({ id: 'https://peer.test/other', type: 'Tombstone' });
  const survived: Record<string, boolean> = {};
  for (const [name, response] of Object.entries(origins)) {
    const note = s.eve.note(name.replaceAll(' ', '-'), audience);
    const uri = String(note['id']);
    await s.eve.send(s.a, s.eve.create(note));
    await s.a.drain();
    response(new URL(uri).pathname, uri);
    survived[name] = await s.survivesForwardedDelete(uri);
  }
  expect(survived).toEqual({
    'served as before': true,
    forbidden: true,
    gone: false,
    'a Tombstone': false,
    'a Tombstone of another post': true,
  });
});

test('FED-03: a forwarded Delete is retried while the origin server fails', async () => {
  await using s = await scene();
  const note = s.eve.note(1);
  const uri = String(note['id']);
  await s.eve.send(s.a, s.eve.create(note));
  await s.a.drain();
  s.peer.statuses.set(new URL(uri).pathname, 500);
  await expect(s.survivesForwardedDelete(uri)).rejects.toThrow('the job inbox failed');
  expect((await s.alice.get(`/api/v1/statuses/${await resolveStatusOn(s.a, uri)}`)).status).toBe(200);
  s.peer.statuses.set(new URL(uri).pathname, 410);
  s.a.clock.advance(3600);
  await s.a.drain();
  expect(await resolveStatusOn(s.a, uri)).toBeUndefined();
});

test('FED-03: a 404 does not prove a forwarded Delete of a boost, because many servers do not serve an Announce', async () => {
  await using s = await scene();
  const original = s.eve.note(1);
  await s.eve.send(s.a, s.eve.create(original));
  await s.a.drain();
  const announce = s.eve.activity('Announce', original['id'], {
    id: `${s.eve.uri}/announces/1`,
    to: [publicCollection],
  });
  await s.eve.send(s.a, announce);
  await s.a.drain();
  expect(await s.survivesForwardedDelete(String(announce['id']))).toBe(true);
});

test('FED-03: an actor cannot undo, like, follow or update anything on behalf of another', async () => {
  await using s = await scene();
  const note = s.eve.note(1, audiences(s.eve).private);
  const uri = String(note['id']);
  await s.eve.send(s.a, s.eve.create(note));
  await s.a.drain();
  const { a, eve, mallory } = s;
  const post = (await s.alice.post('/api/v1/statuses', { status: 'mine' })).json as { id: string; uri: string };
  const follow = eve.activity('Follow', aliceUri);
  const forwarded = [
    follow,
    eve.activity('Like', post.uri),
    eve.activity('Announce', post.uri, { to: [publicCollection] }),
    eve.activity('Block', aliceUri),
    eve.activity('Update', { ...note, content: '<p>Forged</p>', updated: '2030-01-01T00:00:00Z' }),
    eve.activity('Update', { ...eve.json(), name: 'Forged' }),
    eve.activity('Reject', { type: 'Follow', actor: aliceUri, object: eve.uri }),
    eve.activity('Undo', {
      type: 'Accept',
      actor: eve.uri,
      object: { type: 'Follow', actor: aliceUri, object: eve.uri },
    }),
    eve.activity('Move', eve.uri, { target: mallory.uri }),
    eve.activity('Delete', eve.uri),
    eve.activity('Remove', uri, { target: `${eve.uri}/collections/featured` }),
  ];
  for (const activity of forwarded) expect(await mallory.send(a, activity)).toBe(202);
  await a.drain();
  const id = await resolveStatusOn(a, uri);
  expect((await s.alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    content: '<p>Note 1</p>',
    account: { display_name: '', acct: 'eve@peer.test' },
  });
  expect((await s.alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({
    favourites_count: 0,
    reblogs_count: 0,
  });
  const account = await resolveAccountOn(a, 'eve@peer.test');
  expect((await s.alice.get(`/api/v1/accounts/relationships?id[]=${account}`)).json).toMatchObject([
    { following: true, followed_by: false },
  ]);
});
