import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

const oembed = (url: string, query = '') => `/api/oembed?url=${encodeURIComponent(url)}${query}`;

test('a local public or unlisted post can be embedded by its URL', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'Hi <script>', visibility: 'unlisted' });
  for (const url of [json.url, json.uri, `${json.url}/`, `${json.url}/embed`, `${json.url}?x=1`]) {
    const response = await server.anonymous.get(oembed(url));
    expect(response.status, url).toBe(200);
    expect(response.json).toEqual({
      type: 'rich',
      version: '1.0',
      author_name: 'alice',
      author_url: 'https://fieldfare.test/@alice',
      provider_name: 'fieldfare.test',
      provider_url: 'https://fieldfare.test/',
      cache_age: 86_400,
      html: expect.stringMatching(/^<iframe src="https:\/\/fieldfare\.test\/@alice\/\d+\/embed" /),
      width: 400,
      height: null,
    });
  }
  const sized = await server.anonymous.get(oembed(json.url, '&maxwidth=300&maxheight=200'));
  expect(sized.json).toMatchObject({ width: 300, height: 200 });
  expect(sized.json.html).toContain('width="300" height="200"');
  expect((await server.anonymous.get(oembed(json.url, '&maxwidth=-1&maxheight=0'))).json).toMatchObject({
    width: 400,
    height: null,
  });
});

test('private, remote, deleted and boosted posts cannot be embedded (404)', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const post = async (visibility: string) => (await alice.post('/api/v1/statuses', { status: 'x', visibility })).json;
  const shown = await post('public');
  const reblog = (await bob.post(`/api/v1/statuses/${shown.id}/reblog`)).json;
  const deleted = await post('public');
  await alice.delete(`/api/v1/statuses/${deleted.id}`);
  const urls = [
    (await post('private')).url,
    (await post('direct')).url,
    deleted.url,
    `https://fieldfare.test/@bob/${reblog.id}`,
    `https://fieldfare.test/@bob/${shown.id}`,
    'https://fieldfare.test/@alice',
    'https://else.test/@alice/1',
    'nonsense',
  ];
  for (const url of urls) {
    expect((await alice.get(oembed(url))).status, url).toBe(404);
    if (url.startsWith('https://fieldfare.test/@') && /\d$/.test(url)) {
      const frame = await server.anonymous.get(`${new URL(url).pathname}/embed`);
      expect(frame.status, url).toBe(404);
      expect(frame.headers['content-security-policy'] ?? '').not.toContain('frame-ancestors *');
    }
  }
});

test('any site may frame an embedded post, whose page has no scripts, forms or cookies', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'Hi <script>alert(1)</script> there' });
  const path = new URL(json.url).pathname;
  const frame = await server.anonymous.get(`${path}/embed`, { headers: { accept: 'text/html' } });
  expect(frame.status).toBe(200);
  expect(frame.headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = String(frame.headers['content-security-policy']);
  expect(policy).toContain('frame-ancestors *');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src|allow-scripts|allow-forms|unsafe/);
  expect(frame.headers).not.toHaveProperty('x-frame-options');
  expect(frame.headers).not.toHaveProperty('set-cookie');
  expect(frame.text).toContain('Hi &lt;script&gt;');
  expect(frame.text).not.toMatch(/<script|<form/);

  const page = await server.anonymous.get(path, { headers: { accept: 'text/html' } });
  expect(String(page.headers['content-security-policy'])).toContain("frame-ancestors 'none'");
  const url = /type="application\/json\+oembed" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const found = await server.anonymous.get(url.replace('https://fieldfare.test', ''));
  expect(found.json).toMatchObject({ type: 'rich', author_name: 'alice' });
});

test('in limited federation mode no post can be embedded', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'x' });
  expect((await server.anonymous.get(oembed(json.url))).status).toBe(404);
  expect((await server.anonymous.get(`${new URL(json.url).pathname}/embed`)).status).toBe(404);
});
