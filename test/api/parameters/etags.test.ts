import sharp from 'sharp';
import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { multipart, startServer, type Client } from '../../server.ts';

/** Routes whose response is 404 or 204 on this server. */
const absent = ['/api/v1/instance/terms_of_service', '/api/v1/push/subscription', '/api/v1/instance/domain_blocks'];

const tagged = routes.filter(({ options }) => options.hasEtag === true).map(({ path }) => path);

async function expectRevalidation(client: Client, path: string): Promise<string> {
  const first = await client.get(path);
  expect(first.status, `${path} ${first.text}`).toBe(200);
  expect(first.headers['cache-control'], path).not.toContain('no-store');
  const etag = String(first.headers['etag']);
  expect(etag, path).toMatch(/^(?:W\/)?"[\w-]{22}"$/);
  for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const again = await client.get(path, { headers: { 'if-none-match': known } });
    expect([again.status, again.text, again.headers['etag']], `${path} ${known}`).toEqual([304, '', etag]);
    expect(again.headers['cache-control'], path).toBe(first.headers['cache-control']);
  }
  const other = await client.get(path, { headers: { 'if-none-match': '"other"' } });
  expect([other.status, other.text], path).toEqual([200, first.text]);
  return etag;
}

test('what clients poll has an ETag, and 304 for clients that have it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const list = await alice.post('/api/v1/lists', { title: 'Birds' });
  const filter = await alice.post('/api/v2/filters', {
    title: 'Cats',
    context: ['home'],
    keywords_attributes: [{ keyword: 'cat' }],
  });
  const ids: Record<string, string> = {
    '/api/v1/lists/:id': list.json.id,
    '/api/v2/filters/:id': filter.json.id,
    '/api/v1/filters/:id': filter.json.keywords[0].id,
  };
  expect(tagged).toEqual(
    expect.arrayContaining(['/api/v1/instance', '/api/v2/instance', '/api/v1/custom_emojis', '/api/v1/lists']),
  );
  for (const path of tagged.filter((route) => !absent.includes(route))) {
    await expectRevalidation(alice, path.replace(':id', ids[path] ?? ''));
  }
  // An error has no ETag.
  const missing = await alice.get('/api/v1/lists/1', { headers: { 'if-none-match': '*' } });
  expect([missing.status, missing.headers['etag']]).toEqual([404, undefined]);
});

test('a change is a new ETag, and each user has its own', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { json: list } = await alice.post('/api/v1/lists', { title: 'Birds' });
  const headers = { 'if-none-match': await expectRevalidation(alice, '/api/v1/lists') };
  const profile = { 'if-none-match': await expectRevalidation(alice, '/api/v1/accounts/verify_credentials') };
  expect((await bob.get('/api/v1/lists', { headers })).json).toEqual([]);
  await alice.put(`/api/v1/lists/${list.id}`, { title: 'Owls' });
  expect((await alice.get('/api/v1/lists', { headers })).json).toMatchObject([{ title: 'Owls' }]);
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' });
  const changed = await alice.get('/api/v1/accounts/verify_credentials', { headers: profile });
  expect(changed.json).toMatchObject({ display_name: 'Alice' });
  expect((await server.anonymous.get('/api/v1/lists', { headers: { 'if-none-match': '*' } })).status).toBe(401);
});

test('a stored file has an ETag, and a part of it only for clients that have the same file', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const upload = await multipart({ file: new File([Uint8Array.from(image)], 'a.png') });
  const { json: media } = await alice.post('/api/v2/media', upload);
  await alice.post('/api/v1/statuses', { status: 'a', media_ids: [media.id] });
  await server.drain();
  const path = new URL(media.url).pathname;
  const get = (headers: Record<string, string>) => server.http.inject({ method: 'GET', url: path, headers });
  const etag = await expectRevalidation(server.anonymous, path);
  expect((await get({ range: 'bytes=0-3' })).statusCode).toBe(206);
  expect((await get({ range: 'bytes=0-3', 'if-range': etag })).rawPayload).toHaveLength(4);
  const whole = await get({ range: 'bytes=0-3', 'if-range': '"other"' });
  expect([whole.statusCode, whole.rawPayload.length > 4]).toEqual([200, true]);
  const gone = await server.http.inject({ url: path.replace('.png', '0.png'), headers: { 'if-none-match': '*' } });
  expect(gone.statusCode).toBe(404);
});
