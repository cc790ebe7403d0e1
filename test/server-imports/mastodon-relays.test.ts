import { expect, test } from 'vitest';
import { Peer } from '../federation/peer.ts';
import { domain } from './mastodon-rows.ts';
import { importInto, MovedScene } from './mastodon-scene.ts';

const path = '/api/v1/fieldfare/admin/relays';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

test('relays go on after a move: posts come and go, answers and withdrawals name the old Follow', async () => {
  await using scene = await MovedScene.open('4.4');
  const { server, source, network, carol } = scene;
  const relayPeer = new Peer(network, 'relay.test');
  const relay = relayPeer.actor('relay');
  const silent = new Peer(network, 'silent.test').actor('relay');
  await importInto(server, source);
  const staff = await server.user('keeper', { role: 'admin', scopes: 'read write admin:read admin:write' });
  const states = async () =>
    ((await staff.get(path)).json as { url: string; state: string }[]).map(({ url, state }) => `${url} ${state}`);
  expect(await states()).toEqual(['https://silent.test/inbox pending', 'https://relay.test/inbox accepted']);

  const note = carol.note('relayed', { to: [publicCollection] });
  const announce = async (by: typeof relay) => {
    await by.send(server, by.activity('Announce', note['id'], { to: [publicCollection] }));
    await network.drain();
    return ((await staff.get('/api/v1/timelines/public?remote=true')).json as { uri: string }[]).map(({ uri }) => uri);
  };
  scene.peer.serve(note);
  expect(await announce(silent)).not.toContain(note['id']);
  expect(await announce(relay)).toContain(note['id']);

  const { json: post } = await staff.post('/api/v1/statuses', { status: 'Still here' });
  await network.drain();
  expect(relayPeer.received.map(({ activity }) => activity)).toMatchObject([
    { type: 'Create', object: { id: post.uri } },
  ]);
  await silent.send(server, silent.activity('Accept', `https://${domain}/relay-2`));
  await network.drain();
  expect(await states()).toContain('https://silent.test/inbox accepted');

  const [, { id }] = (await staff.get(path)).json;
  await staff.post(`${path}/${id}/unsubscribe`);
  await network.drain();
  expect(relayPeer.received.at(-1)?.activity).toMatchObject({
    type: 'Undo',
    object: { type: 'Follow', id: `https://${domain}/relay-1`, object: publicCollection },
  });
});
