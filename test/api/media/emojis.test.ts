import sharp from 'sharp';
import { expect, test } from 'vitest';
import { storeRemoteEmojis } from '../../../server/emojis/index.ts';
import { listEmojisForStaff, deleteEmoji, setEmojiDisabled } from '../../../server/emojis/manage/index.ts';
import { addTestEmoji, solidColour, createGif, createPng } from '../../emoji-files.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const list = '/api/v1/custom_emojis';
const statuses = '/api/v1/statuses';

async function post(user: TestUser, status: string, more: object = {}) {
  const response = await user.post(statuses, { status, ...more });
  expect(response.status, response.text).toBe(200);
  return response.json;
}

const shortcodesOf = (emojis: { shortcode: string }[]): string[] => emojis.map(({ shortcode }) => shortcode);
const fetchFile = (server: TestServer, url: string) => server.http.inject({ url: new URL(url).pathname });

test('EMO-01: anyone can list the local emojis; unlisted ones are marked', async () => {
  await using server = await startServer();
  expect((await server.anonymous.get(list)).json).toEqual([]);
  await addTestEmoji(server, 'tree', undefined, { category: 'Plants' });
  await addTestEmoji(server, 'bird');
  await addTestEmoji(server, 'secret', undefined, { visibleInPicker: false });
  await addTestEmoji(server, 'off');
  await setEmojiDisabled(server.app, 'system', { shortcode: 'off', disabled: true });
  await storeRemoteEmojis(server.app, 'b.test', [
    { shortcode: 'far', url: 'https://b.test/far.png', updatedAt: undefined },
  ]);
  const response = await server.anonymous.get(list);
  expect(response.headers['cache-control']).toContain('public, max-age=300');
  const key = expect.stringMatching(/^https:\/\/[^/]+\/media\/emojis\/[0-9a-f]{32}\.png$/);
  expect(response.json).toEqual([
    { shortcode: 'bird', url: key, static_url: key, visible_in_picker: true },
    { shortcode: 'secret', url: key, static_url: key, visible_in_picker: false },
    { shortcode: 'tree', url: key, static_url: key, visible_in_picker: true, category: 'Plants', featured: false },
  ]);
  const file = await fetchFile(server, response.json[0].url);
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/png']);
});

test('with limited federation, listing emojis requires a token', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'true' } });
  const alice = await server.user('alice');
  await addTestEmoji(server, 'bird');
  expect((await server.anonymous.get(list)).status).toBe(401);
  const own = await alice.get(list);
  expect([own.json.length, String(own.headers['cache-control'])]).toEqual([1, expect.not.stringContaining('public')]);
});

test('EMO-01: a status has the emojis of its text, warning and poll that exist and are enabled', async () => {
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
  await setEmojiDisabled(server.app, 'system', { shortcode: 'bird', disabled: true });
  expect(shortcodesOf((await shown()).emojis)).toEqual(['tree', 'sun_1']);
  await setEmojiDisabled(server.app, 'system', { shortcode: 'bird', disabled: false });
  await deleteEmoji(server.app, 'system', { shortcode: 'tree' });
  await addTestEmoji(server, 'none');
  expect(shortcodesOf((await shown()).emojis)).toEqual(['bird', 'none', 'sun_1']);
  const reblog = await alice.post(`${statuses}/${status.id}/reblog`);
  expect(shortcodesOf(reblog.json.reblog.emojis)).toEqual(['bird', 'none', 'sun_1']);
});

test('each version of a status has its own emojis', async () => {
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

test('a profile has the emojis of its display name, note and fields', async () => {
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
  await deleteEmoji(server.app, 'system', { shortcode: 'tree' });
  expect(await shown()).toEqual(['bird', 'moon', 'sun']);
  const own = await alice.get('/api/v1/accounts/verify_credentials');
  expect(shortcodesOf(own.json.emojis).toSorted()).toEqual(['bird', 'moon', 'sun']);
});

test('an animated emoji has a static version', async () => {
  await using server = await startServer();
  await addTestEmoji(server, 'dance', await createGif());
  const [{ url, static_url: staticUrl }] = (await server.anonymous.get(list)).json;
  expect([url.endsWith('.gif'), staticUrl.endsWith('-static.png')]).toEqual([true, true]);
  expect((await sharp((await fetchFile(server, url)).rawPayload).metadata()).pages).toBe(2);
  expect((await sharp((await fetchFile(server, staticUrl)).rawPayload).metadata()).format).toBe('png');
});

test('invalid shortcodes and images are rejected, and nothing is stored', async () => {
  await using server = await startServer();
  const noise = Buffer.from(Array.from({ length: 400 * 400 * 3 }, (_, index) => (index * 7919) % 251));
  const large = await sharp(noise, { raw: { width: 400, height: 400, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  await expect(addTestEmoji(server, 'a')).rejects.toThrow('Shortcode must be');
  await expect(addTestEmoji(server, 'a-b')).rejects.toThrow('Shortcode must be');
  await expect(addTestEmoji(server, 'a'.repeat(129))).rejects.toThrow('Shortcode must be');
  await expect(addTestEmoji(server, 'big', large)).rejects.toThrow('not be larger than 256 KB');
  await expect(addTestEmoji(server, 'words', Buffer.from('no image'))).rejects.toThrow('Image');
  await expect(addTestEmoji(server, 'jpeg', await sharp(solidColour(1)).jpeg().toBuffer())).rejects.toThrow(
    'must be a PNG, GIF or WebP',
  );
  const broken = await createPng();
  await expect(addTestEmoji(server, 'broken', broken.subarray(0, broken.length - 30))).rejects.toThrow('Image');
  await expect(addTestEmoji(server, 'svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toThrow(
    'Image',
  );
  const page = { limit: 10, maxId: undefined, sinceId: undefined, minId: undefined };
  expect((await listEmojisForStaff(server.app, page)).emojis).toEqual([]);
});

test('a shortcode is unique; an existing emoji is replaced only on request', async () => {
  await using server = await startServer();
  await addTestEmoji(server, 'bird', undefined, { category: 'Animals' });
  const [first] = (await server.anonymous.get(list)).json;
  await expect(addTestEmoji(server, 'bird')).rejects.toThrow('There is already an emoji :bird:');
  await addTestEmoji(server, 'bird', await createPng(10), { replace: true });
  const [second] = (await server.anonymous.get(list)).json;
  expect([second.category, second.url === first.url]).toEqual(['Animals', false]);
  expect((await fetchFile(server, first.url)).statusCode).toBe(404);
  expect((await fetchFile(server, second.url)).statusCode).toBe(200);
  await deleteEmoji(server.app, 'system', { shortcode: 'bird' });
  expect((await fetchFile(server, second.url)).statusCode).toBe(404);
  await expect(deleteEmoji(server.app, 'system', { shortcode: 'bird' })).rejects.toThrow('There is no emoji :bird:');
  await expect(setEmojiDisabled(server.app, 'system', { shortcode: 'bird', disabled: true })).rejects.toThrow(
    'There is no emoji :bird:',
  );
});

test('images without an emoji are deleted after a day, all others stay', async () => {
  await using server = await startServer();
  const { app } = server;
  await addTestEmoji(server, 'bird');
  await addTestEmoji(server, 'moves', await createGif());
  const [bird, animated] = (await server.anonymous.get(list)).json;
  await app.storage.put('emojis/left.png', await createPng(), 'image/png');
  const unused = app.storage.url('emojis/left.png');
  const loadFileStatuses = async () => {
    const urls = [bird.url, animated.url, animated.static_url, unused];
    return Promise.all(urls.map(async (url: string) => (await fetchFile(server, url)).statusCode));
  };
  await server.runSchedule('emoji.clean_up_images');
  expect(await loadFileStatuses()).toEqual([200, 200, 200, 200]);
  server.clock.advance(2 * 86_400);
  await server.runSchedule('emoji.clean_up_images');
  expect(await loadFileStatuses()).toEqual([200, 200, 200, 404]);
});

test('texts without emojis take no query, and a page of texts with emojis takes one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addTestEmoji(server, 'bird');
  const plain = await post(alice, 'nothing at 12:30');
  const url = `/api/v1/accounts/${alice.id}/statuses`;
  const countQueries = () => server.countQueries(() => alice.get(url));
  await countQueries();
  // A change of an emoji evicts all cached statuses and the list of emojis.
  const countUncachedQueries = async () => {
    await setEmojiDisabled(server.app, 'system', { shortcode: 'bird', disabled: false });
    return countQueries();
  };
  const without = await countUncachedQueries();
  await alice.delete(`${statuses}/${plain.id}`);
  for (let count = 0; count < 5; count += 1) await post(alice, `:bird: ${count}`);
  expect(await countUncachedQueries()).toBe(without + 1);
  expect(await countUncachedQueries()).toBe(without + 1);
});

test('web pages show emojis as images', async () => {
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
