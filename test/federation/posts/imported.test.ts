import { expect, test } from 'vitest';
import { importFile, postImports } from '../../api/accounts/import-posts.ts';
import { createOf, filesOf, oldActor, tarGzOf } from '../../api/accounts/post-import-files.ts';
import { walk, type TestUser } from '../../server.ts';
import { resolveStatusOn, type StatusJson } from '../two-servers.ts';
import { readEverything, scene, secret, tag, type Scene } from './leak-scene.ts';

// Imported posts: visitors see them on the profile, and nothing of them is sent to another server, listed or announced.

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;

/** Imports a thread with a post of each visibility. Returns the id of the import. */
async function importAll({ server, alice }: Scene): Promise<string> {
  const items = visibilities.map((visibility, place) =>
    createOf(place + 1, `${secret} ${visibility} <a href="https://far.test/link">link</a>`, {
      visibility,
      tag: [
        { type: 'Hashtag', name: `#${tag}` },
        { type: 'Mention', href: 'https://far.test/users/reader', name: '@reader@far.test' },
        { type: 'Mention', href: 'https://s.test/users/bob', name: '@bob@s.test' },
      ],
      ...(place > 0 && { inReplyTo: `${oldActor}/statuses/${place}` }),
    }),
  );
  const result = await importFile(server, alice, tarGzOf(filesOf(items)), { choices: { direct: true } });
  expect(result).toMatchObject({ state: 'finished', imported_count: visibilities.length });
  return result.id;
}

const listOwn = async (alice: TestUser): Promise<StatusJson[]> =>
  (await walk(alice, `/api/v1/accounts/${alice.id}/statuses?only_imported=true`)) as unknown as StatusJson[];

/** Does with imported posts what one can do with posts. Returns the ids of all. */
async function actAll({ network, alice, bob }: Scene): Promise<string[]> {
  const ids: string[] = [];
  for (const { id, visibility } of await listOwn(alice)) {
    ids.push(id);
    const actor = visibility === 'public' || visibility === 'unlisted' ? bob : alice;
    const done = async (user: TestUser, path: string, body: object = {}) => {
      const { status, text, json } = await user.post(path, body);
      expect(status, text).toBe(200);
      return json as StatusJson;
    };
    await done(actor, `/api/v1/statuses/${id}/favourite`);
    await done(actor, `/api/v1/statuses/${id}/bookmark`);
    await done(actor, `/api/v1/statuses/${id}/react/🐦`);
    if (visibility !== 'direct') {
      await done(alice, `/api/v1/statuses/${id}/pin`);
      const reply = await done(actor, '/api/v1/statuses', { status: `${secret} reply`, in_reply_to_id: id });
      const quote = await done(alice, '/api/v1/statuses', {
        status: `${secret} quote`,
        quoted_status_id: id,
        visibility: visibility === 'private' ? 'private' : 'public',
      });
      ids.push(reply.id, quote.id);
    }
    await network.drain();
    if (visibility !== 'direct') await done(alice, `/api/v1/statuses/${id}/unpin`);
    await done(actor, `/api/v1/statuses/${id}/unfavourite`);
    expect((await actor.post(`/api/v1/statuses/${id}/reblog`)).status).toBe(422);
    await network.drain();
  }
  return ids;
}

test('nothing of imported posts is sent to another server, whatever is done with them', async () => {
  await using all = await scene();
  const { network, server, alice, bob, peer } = all;
  const importId = await importAll(all);
  await network.drain();
  await actAll(all);
  const [first] = await listOwn(alice);
  await alice.delete(`/api/v1/statuses/${first?.id}`);
  await alice.delete(`${postImports}/${importId}`);
  server.clock.advance(600);
  await network.drain();
  expect(await listOwn(alice)).toEqual([]);
  expect(peer.received.map(({ activity }) => activity)).toEqual([]);
  // Not even a direct reply names the parent.
  await importAll(all);
  const parent = (await listOwn(alice)).find(({ visibility }) => visibility === 'public');
  await bob.post('/api/v1/statuses', {
    status: '@reader@far.test look',
    in_reply_to_id: parent?.id,
    visibility: 'direct',
  });
  await network.drain();
  expect(peer.received.length).toBe(1);
  expect(JSON.stringify(peer.received)).not.toContain(parent?.id);
});

test('visitors see public and unlisted ones on the profile, in the thread and at their address; no other route shows them', async () => {
  await using all = await scene();
  const { server, alice } = all;
  await importAll(all);
  const ids = await actAll(all);
  for (const { id, visibility } of await listOwn(alice))
    if (visibility === 'public') await alice.post(`/api/v1/statuses/${id}/pin`);
  await server.drain();
  expect(await server.db.selectFrom('trend_uses').selectAll().execute()).toEqual([]);
  const shown = (await listOwn(alice)).filter(({ visibility }) => visibility === 'public' || visibility === 'unlisted');
  const hidden = ids.filter((id) => !shown.some((status) => status.id === id));
  const { leaks, answered } = await readEverything(all, [...shown.map(({ id }) => id), ...hidden]);
  // Pages are HTML whatever is asked for.
  expect(leaks.filter(({ path, type }) => !path.startsWith('/api/') && !type.startsWith('text/html'))).toEqual([]);
  expect([...new Set(leaks.map(({ path }) => path))].toSorted()).toEqual([
    '/@:username',
    '/@:username/:id',
    '/@:username/:id/embed',
    '/@:username/tagged/:tag',
    '/@:username/with_replies',
    '/api/v1/accounts/:id/statuses',
    '/api/v1/statuses/:id',
    '/api/v1/statuses/:id/context',
    '/api/v1/statuses/:id/history',
  ]);
  // Private and direct ones, and local-only replies, are in none of them.
  expect(leaks.filter((leak) => leak.ids.some((id) => hidden.includes(id)))).toEqual([]);
  expect(answered).toBeGreaterThan(60);
});

test('local accounts do not get them in home, public and hashtag timelines, lists, streams, notifications or search', async () => {
  await using all = await scene();
  const { server, alice, bob } = all;
  const list = (await bob.post('/api/v1/lists', { title: 'Friends' })).json as { id: string };
  await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.id] });
  await bob.post(`/api/v1/tags/${tag}/follow`);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`, { notify: true });
  await alice.patch('/api/v1/accounts/update_credentials', { indexable: true, discoverable: true });
  await bob.get('/api/v1/timelines/home');
  await bob.get(`/api/v1/timelines/list/${list.id}`);
  const activity = async () => (await server.anonymous.get('/api/v1/instance/activity')).text;
  const before = await activity();
  await importAll(all);
  await server.drain();
  for (const user of [alice, bob]) {
    for (const path of [
      '/api/v1/timelines/home',
      '/api/v1/timelines/public',
      '/api/v1/timelines/public?local=true',
      `/api/v1/timelines/tag/${tag}`,
      '/api/v1/notifications?exclude_types[]=follow',
      '/api/v1/conversations',
      '/api/v1/trends/statuses',
    ])
      expect((await user.get(path)).json, path).toEqual([]);
  }
  expect((await bob.get(`/api/v1/timelines/list/${list.id}`)).json).toEqual([]);
  expect((await bob.get(`/api/v2/search?type=statuses&q=${secret}`)).json).toMatchObject({ statuses: [] });
  const own = (await alice.get(`/api/v2/search?type=statuses&q=${secret}`)).json as { statuses: unknown[] };
  expect(own.statuses).toHaveLength(4);
  expect(await activity()).toBe(before);
  const { history } = (await bob.get(`/api/v1/tags/${tag}`)).json as { history: { uses: string }[] };
  expect(new Set(history.map(({ uses }) => uses))).toEqual(new Set(['0']));
  // A feed that is built again has none either.
  await bob.post(`/api/v1/accounts/${alice.id}/unfollow`);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  expect((await bob.get('/api/v1/timelines/home')).json).toEqual([]);
});

test('for other servers they do not exist: what is sent about them changes nothing', async () => {
  await using all = await scene();
  const { alice, peer, reader, server } = all;
  await importAll(all);
  const post = (await listOwn(alice)).find(({ visibility }) => visibility === 'public');
  if (post === undefined) throw new Error('nothing was imported');
  await reader.send(server, reader.activity('Like', post.uri));
  await reader.send(server, reader.activity('EmojiReact', post.uri, { content: '🐦' }));
  const to = ['https://www.w3.org/ns/activitystreams#Public'];
  await reader.send(server, reader.activity('Announce', post.uri, { to }));
  const reply = reader.note(2, { inReplyTo: post.uri, tag: [{ type: 'Mention', href: 'https://s.test/users/alice' }] });
  await reader.send(server, reader.create(reply));
  const quoting = reader.note(3, { quote: post.uri });
  peer.serve(quoting);
  await reader.send(server, reader.activity('QuoteRequest', post.uri, { instrument: quoting['id'] }));
  await server.drain();
  expect((await alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({
    favourites_count: 0,
    reblogs_count: 0,
    quotes_count: 0,
    reactions: [],
  });
  expect(peer.received).toEqual([]);
  // A post of the same person that other servers know is another one.
  expect(await resolveStatusOn(server, `${oldActor}/statuses/1`)).toBe(undefined);
});
