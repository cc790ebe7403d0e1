import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

const oembed = (url: string, more = '') => `/api/oembed?url=${encodeURIComponent(url)}${more}`;

test('a public or unlisted post of this server can be embedded by its address', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'Hi <script>', visibility: 'unlisted' });
  for (const address of [json.url, json.uri, `${json.url}/`, `${json.url}/embed`, `${json.url}?x=1`]) {
    const answer = await server.anonymous.get(oembed(address));
    expect(answer.status, address).toBe(200);
    expect(answer.json).toEqual({
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

test('posts that not everybody may see, of others, gone or reblogged cannot be embedded (404)', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const post = async (visibility: string) => (await alice.post('/api/v1/statuses', { status: 'x', visibility })).json;
  const shown = await post('public');
  const reblog = (await bob.post(`/api/v1/statuses/${shown.id}/reblog`)).json;
  const gone = await post('public');
  await alice.delete(`/api/v1/statuses/${gone.id}`);
  const addresses = [
    (await post('private')).url,
    (await post('direct')).url,
    gone.url,
    `https://fieldfare.test/@bob/${reblog.id}`,
    `https://fieldfare.test/@bob/${shown.id}`,
    'https://fieldfare.test/@alice',
    'https://else.test/@alice/1',
    'nonsense',
  ];
  for (const address of addresses) {
    expect((await alice.get(oembed(address))).status, address).toBe(404);
    if (address.startsWith('https://fieldfare.test/@') && /\d$/.test(address)) {
      const frame = await server.anonymous.get(`${new URL(address).pathname}/embed`);
      expect(frame.status, address).toBe(404);
      expect(frame.headers['content-security-policy'] ?? '').not.toContain('frame-ancestors *');
    }
  }
});

test('the page of an embedded post may be framed by everybody, and does nothing', async () => {
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
  const address =
    /type="application\/json\+oembed" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const found = await server.anonymous.get(address.replace('https://fieldfare.test', ''));
  expect(found.json).toMatchObject({ type: 'rich', author_name: 'alice' });
});

test('limited federation embeds nothing', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'x' });
  expect((await server.anonymous.get(oembed(json.url))).status).toBe(404);
  expect((await server.anonymous.get(`${new URL(json.url).pathname}/embed`)).status).toBe(404);
});
