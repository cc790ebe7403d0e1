import { expect, test } from 'vitest';
import { cleanUpActivities } from '../../../server/federation/clean-up-activities.ts';
import { Peer } from '../peer.ts';
import { peerScene, type PeerScene } from '../peer-scene.ts';

const aliceUri = 'https://a.test/users/alice';
const hour = 3_600;

async function earlyUndoScene() {
  const scene = await peerScene();
  const { a, alice } = scene;
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  const count = async (table: string): Promise<number | null> =>
    (await a.pool.query(`select 1 from ${table}`)).rowCount;
  /** Sends activities by eve, which are processed together. */
  const receive = async (...activities: unknown[]) => {
    for (const activity of activities) expect(await scene.eve.send(a, activity)).toBe(202);
    await a.drain();
  };
  const remembered = () => count(`received_activities where uri like '% undo early %'`);
  return { ...scene, postUri: String(post.uri), count, receive, remembered };
}

type Activity = Record<string, unknown>;

/** How servers name the activity that they undo. */
const forms: [name: string, (activity: Activity) => unknown][] = [
  ['its id', ({ id }) => id],
  ['the whole activity', (activity) => activity],
];

/** Kinds of activities, and the table that each adds a row to. */
const kinds = ({ eve, postUri }: Pick<PeerScene, 'eve'> & { postUri: string }) => {
  const reblogs = 'statuses where reblog_of_id is not null and deleted_at is null';
  const announced = { to: ['https://www.w3.org/ns/activitystreams#Public'] };
  return [
    ['favourites', () => eve.activity('Like', postUri)],
    [reblogs, () => eve.activity('Announce', postUri, announced)],
    ['follows', () => eve.activity('Follow', aliceUri)],
    ['status_reactions', () => eve.activity('EmojiReact', postUri, { content: '🎉' })],
    ['status_reactions', () => eve.activity('Like', postUri, { content: '🎉' })],
    ['blocks', () => eve.activity('Block', aliceUri)],
  ] as const;
};

test.each(forms)(
  'FED-03: an activity of any kind that arrives after its Undo, which has %s, is ignored; the next one counts',
  async (_form, toObject) => {
    await using s = await earlyUndoScene();
    const { eve, count, receive } = s;
    for (const [table, create] of kinds(s)) {
      const late = create();
      const undo = eve.activity('Undo', toObject(late));
      await receive(undo, late);
      expect([late['type'], table, await count(table)]).toEqual([late['type'], table, 0]);
      // A copy of the Undo, as after a lost response, does not apply to the next activity.
      await receive(undo);
      const next = create();
      await receive(next);
      expect([late['type'], table, await count(table)]).toEqual([late['type'], table, 1]);
      await receive(eve.activity('Undo', toObject(next)));
      expect(await count(table)).toBe(0);
    }
  },
);

test('FED-03: an id that is reused counts again after its late activity was ignored', async () => {
  await using s = await earlyUndoScene();
  const { eve, count, receive, postUri } = s;
  const reused = [
    ['favourites', eve.activity('Like', postUri, { id: `${eve.uri}/l/1` })],
    ['follows', eve.activity('Follow', aliceUri, { id: `${eve.uri}/follows/alice` })],
  ] as const;
  for (const [table, activity] of reused) {
    const undo = eve.activity('Undo', activity, { id: `${String(activity['id'])}/Undo` });
    await receive(undo, activity);
    expect([table, await count(table)]).toEqual([table, 0]);
    for (let round = 0; round < 2; round += 1) {
      // The Undo of the ignored activity is already known.
      await receive(undo, activity);
      expect([table, await count(table)]).toEqual([table, 1]);
      await receive(undo, undo);
      await receive(undo);
      expect([table, await count(table)]).toEqual([table, 0]);
    }
  }
});

test('FED-03: a request for an interaction that was undone before is ignored', async () => {
  await using s = await earlyUndoScene();
  const { alice, eve, count, receive } = s;
  const policy = { interaction_policy: { can_favourite: { always: [], with_approval: ['public'] } } };
  const { json: held } = await alice.post('/api/v1/statuses', { status: 'Ask first', ...policy });
  const pending = `interaction_requests where state = 'pending'`;
  const request = () => {
    const instrument = eve.activity('Like', held.uri);
    return { instrument, activity: eve.activity('LikeRequest', held.uri, { instrument }) };
  };
  const late = request();
  await receive(eve.activity('Undo', late.instrument), late.activity);
  expect(await count(pending)).toBe(0);
  await receive(request().activity);
  expect(await count(pending)).toBe(1);
});

test('FED-03: nothing is remembered of an Undo that arrives after its activity', async () => {
  await using s = await earlyUndoScene();
  const { eve, receive, remembered } = s;
  for (const [, create] of kinds(s)) {
    const activity = create();
    const undo = eve.activity('Undo', activity);
    await receive(activity, undo);
    await receive(undo);
    expect([activity['type'], await remembered()]).toEqual([activity['type'], 0]);
  }
});

test('FED-03: the Undo of an activity of another actor does not keep the activity out', async () => {
  await using s = await earlyUndoScene();
  const { a, network, peer, eve, count, receive, remembered, postUri } = s;
  const mallory = peer.actor('mallory');
  const like = eve.activity('Like', postUri);
  await mallory.send(a, mallory.activity('Undo', like));
  await a.drain();
  expect(await remembered()).toBe(0);
  await mallory.send(a, mallory.activity('Undo', like['id']));
  await mallory.send(a, mallory.activity('Undo', { ...like, actor: undefined }));
  const stranger = new Peer(network, 'far.test').actor('stranger');
  await stranger.send(a, stranger.activity('Undo', like['id']));
  await a.drain();
  // The one of mallory's own id. Nothing is stored for an id on another host.
  expect(await remembered()).toBe(1);
  await receive(like);
  expect(await count('favourites')).toBe(1);
});

test('FED-03: an early Undo holds for six hours, takes one row, and is deleted with the ids of received activities', async () => {
  await using s = await earlyUndoScene();
  const { a, eve, count, receive, remembered, postUri } = s;
  const [expired, late] = [eve.activity('Like', postUri), eve.activity('Like', postUri)];
  await receive(eve.activity('Undo', expired));
  for (let copy = 0; copy < 5; copy += 1) await receive(eve.activity('Undo', late['id']));
  expect(await remembered()).toBe(2);
  a.clock.advance(6 * hour - 1);
  await receive(late);
  expect(await count('favourites')).toBe(0);
  a.clock.advance(2);
  await receive(expired);
  expect(await count('favourites')).toBe(1);
  a.clock.advance(15 * 24 * hour);
  await cleanUpActivities.run(a.app);
  expect(await count('received_activities')).toBe(0);
});
