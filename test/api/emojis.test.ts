import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listAllEmojis, deleteEmoji, storeRemoteEmojis, setEmojiDisabled } from '../../server/emojis/index.ts';
import { addTestEmoji, solidColour, createGif, createPng } from '../emoji-files.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const list = '/api/v1/custom_emojis';
const statuses = '/api/v1/statuses';

async function post(user: TestUser, status: string, more: object = {}) {
  const answer = await user.post(statuses, { status, ...more });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const shortcodesOf = (emojis: { shortcode: string }[]): string[] => emojis.map(({ shortcode }) => shortcode);
const fetchFile = (server: TestServer, url: string) => server.http.inject({ url: new URL(url).pathname });

test('EMO-01: the list shows the emojis of this server to everybody, unlisted ones marked', async () => {
  await using server = await startServer();
  expect((await server.anonymous.get(list)).json).toEqual([]);
  await addTestEmoji(server, 'tree', undefined, { category: 'Plants' });
  await addTestEmoji(server, 'bird');
  await addTestEmoji(server, 'secret', undefined, { visibleInPicker: false });
  await addTestEmoji(server, 'off');
  await setEmojiDisabled(server.app, 'off', true);
  await storeRemoteEmojis(server.app, 'b.test', [
    { shortcode: 'far', url: 'https://b.test/far.png', updatedAt: undefined },
  ]);
  const answer = await server.anonymous.get(list);
  expect(answer.headers['cache-control']).toContain('public, max-age=300');
  const key = expect.stringMatching(/^https:\/\/[^/]+\/media\/emojis\/[0-9a-f]{32}\.png$/);
  expect(answer.json).toEqual([
    { shortcode: 'bird', url: key, static_url: key, visible_in_picker: true },
    { shortcode: 'secret', url: key, static_url: key, visible_in_picker: false },
    { shortcode: 'tree', url: key, static_url: key, visible_in_picker: true, category: 'Plants', featured: false },
  ]);
  const file = await fetchFile(server, answer.json[0].url);
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/png']);
});

test('a server of limited federation shows its emojis to its own people only', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'true' } });
  const alice = await server.user('alice');
  await addTestEmoji(server, 'bird');
  expect((await server.anonymous.get(list)).status).toBe(401);
  const own = await alice.get(list);
  expect([own.json.length, String(own.headers['cache-control'])]).toEqual([1, expect.not.stringContaining('public')]);
});

test('EMO-01: a status names the emojis of its text, warning and poll, as long as there are such', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const shortcode of ['bird', 'tree', 'sun_1', 'moon']) await addTestEmoji(server, shortcode);
  const status = await post(alice, 'a :bird: :none: 12:30:45 :smile: x:moon:', {
    spoiler_text: ':tree:',
    poll: { options: [':sun_1: yes', 'no'], expires_in: 300 },
  });
  expect(shortcodesOf(status.emojis)).toEqual(['tree', 'bird', 'sun_1']);
  expect(shortcodesOf(status.poll.emojis)).toEqual(['sun_1']);
  expect(status.content).toContain(':bird: :none: 12:30:45 :smile:');
  expect(shortcodesOf((await server.anonymous.get(`/api/v1/polls/${status.poll.id}`)).json.emojis)).toEqual(['sun_1']);
  const shown = async () => (await server.anonymous.get(`${statuses}/${status.id}`)).json;
  await setEmojiDisabled(server.app, 'bird', true);
  expect(shortcodesOf((await shown()).emojis)).toEqual(['tree', 'sun_1']);
  await setEmojiDisabled(server.app, 'bird', false);
  await deleteEmoji(server.app, 'tree');
  await addTestEmoji(server, 'none');
  expect(shortcodesOf((await shown()).emojis)).toEqual(['bird', 'none', 'sun_1']);
  const reblog = await alice.post(`${statuses}/${status.id}/reblog`);
  expect(shortcodesOf(reblog.json.reblog.emojis)).toEqual(['bird', 'none', 'sun_1']);
});

test('each version of a status names its own emojis', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addTestEmoji(server, 'bird');
  await addTestEmoji(server, 'tree');
  const { id } = await post(alice, ':bird:');
  expect((await server.anonymous.get(`${statuses}/${id}/history`)).json).toMatchObject([
    { emojis: [{ shortcode: 'bird' }] },
  ]);
  server.clock.advance(60);
  await alice.put(`${statuses}/${id}`, { status: ':tree:', content_type: 'text/markdown' });
  const { json: history } = await server.anonymous.get(`${statuses}/${id}/history`);
  expect(history.map(({ emojis }: { emojis: { shortcode: string }[] }) => shortcodesOf(emojis))).toEqual([
    ['bird'],
    ['tree'],
  ]);
});

test('a profile names the emojis of its name, note and fields', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const shortcode of ['bird', 'tree', 'sun', 'moon', 'rain']) await addTestEmoji(server, shortcode);
  const changed = await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice <:bird:>',
    note: 'Likes :tree:',
    fields_attributes: [{ name: ':sun:', value: ':moon:' }],
  });
  expect(shortcodesOf(changed.json.emojis).toSorted()).toEqual(['bird', 'moon', 'sun', 'tree']);
  const shown = async () =>
    shortcodesOf((await server.anonymous.get(`/api/v1/accounts/${alice.id}`)).json.emojis).toSorted();
  expect(await shown()).toEqual(['bird', 'moon', 'sun', 'tree']);
  await deleteEmoji(server.app, 'tree');
  expect(await shown()).toEqual(['bird', 'moon', 'sun']);
  const own = await alice.get('/api/v1/accounts/verify_credentials');
  expect(shortcodesOf(own.json.emojis).toSorted()).toEqual(['bird', 'moon', 'sun']);
});

test('an emoji that moves has a still version', async () => {
  await using server = await startServer();
  await addTestEmoji(server, 'dance', await createGif());
  const [{ url, static_url: still }] = (await server.anonymous.get(list)).json;
  expect([url.endsWith('.gif'), still.endsWith('-static.png')]).toEqual([true, true]);
  expect((await sharp((await fetchFile(server, url)).rawPayload).metadata()).pages).toBe(2);
  expect((await sharp((await fetchFile(server, still)).rawPayload).metadata()).format).toBe('png');
});

test('names and pictures that cannot be are refused, and leave nothing', async () => {
  await using server = await startServer();
  const noise = Buffer.from(Array.from({ length: 400 * 400 * 3 }, (_, place) => (place * 7919) % 251));
  const large = await sharp(noise, { raw: { width: 400, height: 400, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  await expect(addTestEmoji(server, 'a')).rejects.toThrow('Shortcode must be');
  await expect(addTestEmoji(server, 'a-b')).rejects.toThrow('Shortcode must be');
  await expect(addTestEmoji(server, 'a'.repeat(129))).rejects.toThrow('Shortcode must be');
  await expect(addTestEmoji(server, 'big', large)).rejects.toThrow('not be larger than 256 KB');
  await expect(addTestEmoji(server, 'words', Buffer.from('no picture'))).rejects.toThrow('Image');
  await expect(addTestEmoji(server, 'jpeg', await sharp(solidColour(1)).jpeg().toBuffer())).rejects.toThrow(
    'must be a PNG, GIF or WebP',
  );
  const broken = await createPng();
  await expect(addTestEmoji(server, 'broken', broken.subarray(0, broken.length - 30))).rejects.toThrow('Image');
  await expect(addTestEmoji(server, 'svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toThrow(
    'Image',
  );
  expect(await listAllEmojis(server.app)).toEqual([]);
});

test('a name stands for one emoji, until it is replaced on purpose', async () => {
  await using server = await startServer();
  await addTestEmoji(server, 'bird', undefined, { category: 'Animals' });
  const [first] = (await server.anonymous.get(list)).json;
  await expect(addTestEmoji(server, 'bird')).rejects.toThrow('There is an emoji :bird: already');
  await addTestEmoji(server, 'bird', await createPng(10), { replace: true });
  const [second] = (await server.anonymous.get(list)).json;
  expect([second.category, second.url === first.url]).toEqual(['Animals', false]);
  expect((await fetchFile(server, first.url)).statusCode).toBe(404);
  expect((await fetchFile(server, second.url)).statusCode).toBe(200);
  await deleteEmoji(server.app, 'bird');
  expect((await fetchFile(server, second.url)).statusCode).toBe(404);
  await expect(deleteEmoji(server.app, 'bird')).rejects.toThrow('There is no emoji :bird:');
  await expect(setEmojiDisabled(server.app, 'bird', true)).rejects.toThrow('There is no emoji :bird:');
});

test('pictures that no emoji names are swept after a day, all others stay', async () => {
  await using server = await startServer();
  const { app } = server;
  await addTestEmoji(server, 'bird');
  await addTestEmoji(server, 'moves', await createGif());
  const [bird, moves] = (await server.anonymous.get(list)).json;
  await app.storage.put('emojis/left.png', await createPng(), 'image/png');
  const left = app.storage.url('emojis/left.png');
  const found = async () => {
    const urls = [bird.url, moves.url, moves.static_url, left];
    return Promise.all(urls.map(async (url: string) => (await fetchFile(server, url)).statusCode));
  };
  await server.runSchedule('emoji.clean_up_images');
  expect(await found()).toEqual([200, 200, 200, 200]);
  server.clock.advance(2 * 86_400);
  await server.runSchedule('emoji.clean_up_images');
  expect(await found()).toEqual([200, 200, 200, 404]);
});

test('texts without emojis cost no query, and a page of texts with emojis costs one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addTestEmoji(server, 'bird');
  const plain = await post(alice, 'nothing at 12:30');
  const url = `/api/v1/accounts/${alice.id}/statuses`;
  const cost = async () => {
    const before = server.app.queries.count;
    await alice.get(url);
    return server.app.queries.count - before;
  };
  await cost();
  // Each makes all bodies be read anew, and the list of emojis with them.
  const anew = async () => {
    await setEmojiDisabled(server.app, 'bird', false);
    return cost();
  };
  const without = await anew();
  await alice.delete(`${statuses}/${plain.id}`);
  for (let count = 0; count < 5; count += 1) await post(alice, `:bird: ${count}`);
  expect(await anew()).toBe(without + 1);
  expect(await anew()).toBe(without + 1);
});

test('the pages show emojis as pictures', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addTestEmoji(server, 'bird');
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Al :bird:', note: 'note :bird:' });
  const { id } = await post(alice, '<b> :bird: :none: https://b.test/:bird:/x', { spoiler_text: 'warned :bird:' });
  const pages = await Promise.all(
    ['/@alice', `/@alice/${id}`].map((url) => server.http.inject({ url, headers: { accept: 'text/html' } })),
  );
  for (const { body } of pages) {
    expect(body).toMatch(/<summary>warned <img class="emoji" src="[^"]+\/media\/emojis\/[^"]+" alt=":bird:"/);
    expect(body).toMatch(/&lt;b&gt; <img class="emoji" [^>]+> :none: <a href="https:\/\/b\.test\/:bird:\/x"/);
    expect(body).toMatch(/<strong[^>]*>Al <img class="emoji"/);
  }
});
