import { expect, test } from 'vitest';
import { peerScene } from '../peer-scene.ts';

const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

/** How servers name the activity that they undo. */
const forms = [
  ['its id', ({ id }: Record<string, unknown>) => id],
  ['an object with its id', ({ id }: Record<string, unknown>) => ({ id })],
  ['an object with its id and type', ({ id, type }: Record<string, unknown>) => ({ id, type })],
  ['the whole activity', (activity: Record<string, unknown>) => activity],
] as const;

test.each(forms)(
  'FED-03: an Undo that has %s undoes any kind of activity, once and by its actor only',
  async (_name, toObject) => {
    await using scene = await peerScene();
    const { a, alice, peer, eve } = scene;
    const mallory = peer.actor('mallory');
    const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
    const locked = { interaction_policy: { can_favourite: { always: [], with_approval: ['public'] } } };
    const { json: held } = await alice.post('/api/v1/statuses', { status: 'Ask first', ...locked });
    const count = async (table: string) => (await a.pool.query(`select 1 from ${table}`)).rowCount;
    const kinds: [table: string, type: string, members: Record<string, unknown>][] = [
      ['favourites', 'Like', { object: post.uri }],
      [
        'statuses where reblog_of_id is not null and deleted_at is null',
        'Announce',
        { object: post.uri, to: [publicCollection] },
      ],
      ['follows', 'Follow', { object: 'https://a.test/users/alice' }],
      ['status_reactions', 'EmojiReact', { object: post.uri, content: '🎉' }],
      ['status_reactions', 'Like', { object: post.uri, content: '🎉' }],
      [`interaction_requests where state = 'pending'`, 'Like', { object: held.uri }],
      ['blocks', 'Block', { object: 'https://a.test/users/alice' }],
    ];
    for (const [table, type, members] of kinds) {
      const activity = eve.activity(type, undefined, members);
      await eve.send(a, activity);
      await a.drain();
      expect([type, table, await count(table)]).toEqual([type, table, 1]);
      await mallory.send(a, mallory.activity('Undo', activity['id']));
      await eve.send(a, eve.activity('Undo', 'https://peer.test/unknown'));
      await a.drain();
      expect(await count(table)).toBe(1);
      for (let round = 0; round < 2; round += 1) {
        await eve.send(a, eve.activity('Undo', toObject(activity)));
        await a.drain();
        expect([type, table, await count(table)]).toEqual([type, table, 0]);
      }
    }
    expect((await alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
    });
  },
);

test('FED-03: a favourite that was accepted is undone by the id of its Like', async () => {
  await using scene = await peerScene();
  const { a, alice, eve } = scene;
  const locked = { interaction_policy: { can_favourite: { always: [], with_approval: ['public'] } } };
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Ask first', ...locked });
  const like = eve.activity('Like', post.uri);
  await eve.send(a, like);
  await a.drain();
  const [request] = (await alice.get('/api/v1/interaction_requests')).json;
  await alice.post(`/api/v1/interaction_requests/${request.id}/authorize`);
  await a.drain();
  const favourites = async () => (await alice.get(`/api/v1/statuses/${post.id}`)).json.favourites_count;
  expect(await favourites()).toBe(1);
  await eve.send(a, eve.activity('Undo', like['id']));
  await a.drain();
  expect(await favourites()).toBe(0);
});

test('FED-03: a boost that its server deleted before it arrived is not stored', async () => {
  await using scene = await peerScene();
  const { a, alice, eve } = scene;
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  const boosts = [1, 2].map((number) =>
    eve.activity('Announce', post.uri, { id: `${eve.uri}/boosts/${number}`, to: [publicCollection] }),
  );
  await eve.send(a, eve.activity('Delete', boosts[0]?.['id']));
  for (const boost of boosts) {
    await eve.send(a, boost);
    await a.drain();
  }
  const { rows } = await a.pool.query('select uri from statuses where reblog_of_id is not null');
  expect(rows).toEqual([{ uri: boosts[1]?.['id'] }]);
});

test('a received post, boost and mention without a page has its id as its URL', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const bob = peer.actor('bob');
  const note = eve.note(1, {
    cc: ['https://a.test/users/alice', bob.uri],
    tag: [
      { type: 'Mention', href: 'https://a.test/users/alice' },
      { type: 'Mention', href: bob.uri },
    ],
  });
  await eve.send(a, eve.create(note));
  await a.drain();
  const [{ status }] = (await alice.get('/api/v1/notifications')).json;
  expect(status).toMatchObject({ uri: note['id'], url: note['id'], account: { url: eve.uri } });
  expect(status.mentions.map(({ url }: { url: string }) => url)).toEqual(['https://a.test/@alice', bob.uri]);
});
