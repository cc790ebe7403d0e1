import sharp from 'sharp';
import { expect, test } from 'vitest';
import { addTestEmoji, createPng } from '../../emoji-files.ts';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { resolveAccountOn, followAcross, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const accept = { accept: 'application/activity+json' };
const getDocument = (server: TestServer, url: string) =>
  server.http.inject({ url: new URL(url).pathname, headers: accept });

test('EMO-01: emojis of posts, polls and profiles are shown on other servers', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  for (const shortcode of ['bird', 'tree', 'sun', 'moon']) await addTestEmoji(b, shortcode);
  await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob :bird:', note: ':tree:' });
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  const status = await postStatus(bob, {
    status: ':bird: :none:',
    spoiler_text: ':moon:',
    poll: { options: [':sun:', 'no'], expires_in: 300 },
  });
  await network.drain();
  const shown = (await alice.get(`/api/v1/statuses/${await resolveStatusOn(a, status.uri)}`)).json;
  const codes = (emojis: { shortcode: string }[]) => emojis.map(({ shortcode }) => shortcode);
  expect([codes(shown.emojis), codes(shown.poll.emojis)]).toEqual([['moon', 'bird', 'sun'], ['sun']]);
  expect(codes(shown.account.emojis).toSorted()).toEqual(['bird', 'tree']);
  expect(codes((await alice.get(`/api/v1/accounts/${bobOnA}`)).json.emojis).toSorted()).toEqual(['bird', 'tree']);
  expect((await alice.get('/api/v1/custom_emojis')).json).toEqual([]);

  // The image is served by the proxy, for signed-in users.
  const { url } = shown.emojis[1];
  expect(url).toMatch(/^https:\/\/a\.test\/media_proxy\/url\/.+\?fetch=/);
  const { pathname, search } = new URL(url);
  const image = await a.http.inject({ url: pathname + search });
  expect([image.statusCode, (await sharp(image.rawPayload).metadata()).format]).toEqual([200, 'png']);
  const anonymous = (await a.anonymous.get(`/api/v1/statuses/${shown.id}`)).json;
  expect(anonymous.emojis[1].url).toBe(url.replace(/\?.*/, ''));
});

test('EMO-01: posts and actors list their emojis as tags with an id that can be fetched', async () => {
  await using servers = await twoServers();
  const { b, bob } = servers;
  await addTestEmoji(b, 'bird');
  await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob :bird:' });
  const { uri } = await postStatus(bob, { status: '**:bird:** `:bird:`', content_type: 'text/markdown' });
  const note = (await getDocument(b, uri)).json();
  const emoji = {
    id: expect.stringMatching(/^https:\/\/b\.test\/emojis\/\d+$/),
    type: 'Emoji',
    name: ':bird:',
    updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    icon: { type: 'Image', mediaType: 'image/png', url: expect.stringMatching(/^https:\/\/b\.test\/media\/emojis\//) },
  };
  expect(note.tag).toEqual([emoji]);
  const actor = (await getDocument(b, 'https://b.test/users/bob')).json();
  expect(actor.tag).toEqual([emoji]);
  expect(JSON.stringify([note['@context'], actor['@context']]).match(/"toot:Emoji"/g)).toHaveLength(2);
  const response = await getDocument(b, note.tag[0].id);
  expect([response.headers['content-type'], response.json()]).toEqual([
    'application/activity+json; charset=utf-8',
    { '@context': note['@context'], ...note.tag[0] },
  ]);
  for (const path of ['/emojis/1', '/emojis/x'])
    expect((await getDocument(b, `https://b.test${path}`)).statusCode).toBe(404);
});

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  /** Delivers a remote post with these tags. Returns the emojis that it shows. */
  readonly receive: (content: string, tag: unknown, more?: Record<string, unknown>) => Promise<ShownEmoji[]>;
}

interface ShownEmoji {
  readonly shortcode: string;
  readonly url: string;
}

async function scene(): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const eve = new Peer(network, 'evil.test').actor('eve');
  await alice.post(`/api/v1/accounts/${await resolveAccountOn(a, 'eve@evil.test')}/follow`);
  let count = 0;
  const receive = async (content: string, tag: unknown, more: Record<string, unknown> = {}) => {
    count += 1;
    const note = eve.note(count, { content, tag, ...more });
    expect(await eve.send(a, eve.create(note))).toBe(202);
    await a.drain();
    const id = await resolveStatusOn(a, String(note['id']));
    return (await alice.get(`/api/v1/statuses/${id}`)).json.emojis as ShownEmoji[];
  };
  await eve.send(a, eve.activity('Accept', { type: 'Follow', actor: 'https://a.test/users/alice', object: eve.uri }));
  await a.drain();
  return { network, a, receive, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

const emojiTag = (name: string, image: string, more: object = {}) => ({
  id: `https://evil.test/emojis/${image}`,
  type: 'Emoji',
  name,
  icon: { type: 'Image', mediaType: 'image/png', url: `https://evil.test/${image}.png` },
  ...more,
});

const emojiUrls = async ({ a }: Scene): Promise<Record<string, string | null>> => {
  const { rows } = await a.app.pool.query<{ shortcode: string; remote_url: string | null }>(
    'select shortcode, remote_url from custom_emojis order by shortcode',
  );
  return Object.fromEntries(rows.map(({ shortcode, remote_url }) => [shortcode, remote_url]));
};

test('an emoji is updated when its image has another URL or a newer date', async () => {
  await using at = await scene();
  const updated = (time: string) => ({ updated: `2024-01-${time}T00:00:00Z` });
  const [first] = await at.receive(':bird:', emojiTag(':bird:', 'one', updated('02')));
  expect(first).toMatchObject({ shortcode: 'bird', url: expect.stringMatching(/^https:\/\/a\.test\/media_proxy\//) });
  expect(await emojiUrls(at)).toEqual({ bird: 'https://evil.test/one.png' });
  const updatedAt = async () => (await at.a.app.pool.query('select updated_at from custom_emojis')).rows[0].updated_at;
  const before = await updatedAt();
  await at.receive(':bird:', emojiTag(':bird:', 'one', updated('01')));
  expect(await updatedAt()).toEqual(before);
  await at.receive(':bird:', emojiTag(':bird:', 'one', updated('03')));
  expect(await updatedAt()).not.toEqual(before);
  const [moved] = await at.receive(':bird:', emojiTag(':bird:', 'two', updated('03')));
  expect(moved?.url).not.toBe(first?.url);
  expect(await emojiUrls(at)).toEqual({ bird: 'https://evil.test/two.png' });
  // A post without the tag uses the cached emojis of its server, which must be current.
  expect(await at.receive(':bird:', [])).toEqual([moved]);
});

test('emojis are usable only on their own server', async () => {
  await using at = await scene();
  await addTestEmoji(at.a, 'bird', await createPng(1));
  expect(await at.receive(':bird: :tree:', [])).toEqual([]);
  await at.receive(':tree:', emojiTag('tree', 'tree'));
  const alice = await at.a.user('anna');
  const own = await alice.post('/api/v1/statuses', { status: ':bird: :tree:' });
  expect(own.json.emojis).toMatchObject([{ shortcode: 'bird' }]);
});

test('invalid emojis are ignored, and the post is stored', async () => {
  await using at = await scene();
  const shown = await at.receive(':ab: :cd:', [
    emojiTag(':ab:', 'fine', { type: ['toot:Emoji'], icon: 'https://evil.test/fine.png' }),
    emojiTag(':b-d:', 'x'),
    emojiTag(`:${'x'.repeat(2049)}:`, 'x'),
    emojiTag(':no_icon:', 'x', { icon: null }),
    emojiTag(':script:', 'x', { icon: { url: 'javascript:alert(1)' } }),
    emojiTag(':file:', 'x', { icon: { url: 'file:///etc/passwd' } }),
    emojiTag(':long:', 'y'.repeat(2100)),
    emojiTag(':odd:', 'x', { name: { a: 1 } }),
    emojiTag(':date:', 'date', { updated: 'soon' }),
    'Emoji',
    null,
    { type: 'Emoji' },
  ]);
  expect(shown).toMatchObject([{ shortcode: 'ab' }]);
  expect(await emojiUrls(at)).toEqual({ ab: 'https://evil.test/fine.png', date: 'https://evil.test/date.png' });
});

test('at most 100 emojis of a document are stored', async () => {
  await using at = await scene();
  await at.receive(
    'x',
    Array.from({ length: 300 }, (_, number) => emojiTag(`:e_${number}:`, `e${number}`)),
  );
  expect(Object.keys(await emojiUrls(at))).toHaveLength(100);
});
