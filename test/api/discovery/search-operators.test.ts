import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);

async function post(user: TestUser, body: object): Promise<string> {
  const { json } = await user.post('/api/v1/statuses', body);
  return json.id;
}

async function find(user: TestUser, q: string): Promise<string[]> {
  const { json } = await user.get(`/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`);
  return ids(json.statuses);
}

/** Stores the preview card of a post, as if its link had been read. */
async function attachCard(server: TestServer, statusId: string, type: 'link' | 'video', url: string): Promise<void> {
  await server.pool.query(
    `with card as (
      insert into preview_cards (id, url, type, link_type, title, description, author_name, author_url, provider_name,
        provider_url, html, embed_url, width, height, created_at, updated_at)
      values ($1, $2, $3, 'unknown', '', '', '', '', '', '', '', '', 0, 0, now(), now()) returning id)
    insert into status_cards (status_id, card_id, url) select $1, id, $2 from card`,
    [statusId, url, type],
  );
}

test('SRC-02: has: and is: find posts by what they contain, and a minus excludes them', async () => {
  await using server = await startServer();
  const [alice, robot] = [await server.user('alice'), await server.user('robot')];
  await robot.patch('/api/v1/accounts/update_credentials', { bot: true, indexable: true });
  const plain = await post(alice, { status: 'heron' });
  const poll = await post(alice, { status: 'heron?', poll: { options: ['yes', 'no'], expires_in: 600 } });
  const link = await post(alice, { status: 'heron https://pages.test/hashtag/link' });
  const video = await post(alice, { status: 'heron https://pages.test/video' });
  const quote = await post(alice, { status: 'heron, see', quoted_status_id: plain });
  const reply = await post(alice, { status: 'more of the heron', in_reply_to_id: plain });
  const hidden = await post(alice, { status: 'heron', spoiler_text: 'birds' });
  const automatic = await post(robot, { status: 'heron at noon' });
  await attachCard(server, link, 'link', 'https://pages.test/hashtag/link');
  await attachCard(server, video, 'video', 'https://pages.test/video');
  await server.drain();

  const all = [automatic, hidden, reply, quote, video, link, poll, plain];
  expect(await find(alice, 'heron')).toEqual(all);
  const expected: Record<string, string[]> = {
    'has:poll': [poll],
    'has:link': [video, link],
    'has:embed': [video],
    'is:quote': [quote],
    'is:reply': [reply],
    'is:sensitive': [hidden],
    'is:bot': [automatic],
  };
  for (const [operator, found] of Object.entries(expected)) {
    expect(await find(alice, `heron ${operator}`), operator).toEqual(found);
    expect(await find(alice, `heron -${operator}`), operator).toEqual(all.filter((id) => !found.includes(id)));
  }
  expect(await find(alice, 'has:link -has:embed')).toEqual([link]);
  expect(await find(alice, 'has:media')).toEqual([]);
});

test('SRC-02: has: tells images, videos and audio apart', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posts: Record<string, string> = {};
  for (const type of ['image', 'gifv', 'audio']) {
    const id = await post(alice, { status: type });
    posts[type] = id;
    await server.pool.query(
      'insert into media_attachments (id, account_id, status_id, type, created_at) values ($1, $2, $1, $3, now())',
      [id, alice.id, type],
    );
    await server.pool.query('update statuses set media_ids = array[id], has_media = true where id = $1', [id]);
  }
  const none = await post(alice, { status: 'words only' });
  await server.drain();
  expect(await find(alice, 'has:media')).toEqual([posts['audio'], posts['gifv'], posts['image']]);
  expect(await find(alice, 'from:me -has:media')).toEqual([none]);
  expect(await find(alice, 'has:image')).toEqual([posts['image']]);
  expect(await find(alice, 'has:video')).toEqual([posts['gifv']]);
  expect(await find(alice, 'has:audio -has:image')).toEqual([posts['audio']]);
});

test('SRC-02: language:, from: and in: narrow the search, alone or with words', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  for (const user of [bob, carol]) await user.patch('/api/v1/accounts/update_credentials', { indexable: true });
  const english = await post(bob, { status: 'my heron', language: 'en' });
  const german = await post(carol, { status: 'mein heron', language: 'de' });
  const own = await post(alice, { status: 'own heron', language: 'fr' });
  const poll = await post(bob, { status: 'heron?', language: 'en', poll: { options: ['a', 'b'], expires_in: 600 } });
  await server.drain();
  expect(await find(alice, 'heron language:en')).toEqual([poll, english]);
  expect(await find(alice, 'heron language:EN language:de')).toEqual([poll, german, english]);
  expect(await find(alice, 'heron -language:en')).toEqual([own, german]);
  expect(await find(alice, 'from:bob from:@carol')).toEqual([poll, german, english]);
  expect(await find(alice, 'heron -from:bob -from:me')).toEqual([german]);
  expect(await find(alice, 'heron in:public')).toEqual([poll, german, english]);
  expect(await find(alice, 'heron in:library')).toEqual([own]);
  const { json } = await alice.get(`/api/v1/statuses/${poll}`);
  await alice.post(`/api/v1/polls/${json.poll.id}/votes`, { choices: [0] });
  await alice.post(`/api/v1/statuses/${german}/bookmark`);
  expect(await find(alice, 'heron in:library')).toEqual([poll, own, german]);
  expect(await find(alice, 'heron in:all')).toEqual([poll, own, german, english]);
  expect(await find(bob, 'in:library has:poll')).toEqual([poll]);
});

test('SRC-02: before:, after: and during: use the time zone of the viewer', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  // Before the preferences are cached.
  await server.pool.query("update users set time_zone = 'Asia/Tokyo'");
  const first = await post(alice, { status: 'heron' });
  await server.drain();
  const { json } = await alice.get(`/api/v1/statuses/${first}`);
  const day = json.created_at.slice(0, 10);
  await server.pool.query('update statuses set created_at = $2 where id = $1', [first, `${day}T23:30:00Z`]);
  expect(await find(alice, `heron during:${day}`)).toEqual([]);
  expect(await find(alice, `heron after:${day}`)).toEqual([first]);
  expect(await find(alice, `heron before:${day}`)).toEqual([]);
  expect(await find(alice, 'heron after:2001-01-01 before:2101-01-01')).toEqual([first]);
  expect(await find(alice, 'heron before:9999-12-31 after:0001-01-01')).toEqual([first]);
});
