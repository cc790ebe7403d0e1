import sharp from 'sharp';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { suspendAccount } from '../../../server/moderation/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { Visibility } from '../../../server/statuses/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { Browser } from '../../browser.ts';
import { resolveStatusOn, twoServers } from '../../federation/two-servers.ts';
import { Network } from '../../network.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

async function post(user: TestUser, fields: object) {
  const { json, status, text } = await user.post('/api/v1/statuses', fields);
  expect(status, text).toBe(200);
  return json;
}

async function openEmbed(server: TestServer, id: string | undefined, name?: string): Promise<Browser> {
  const browser = new Browser(server);
  if (name !== undefined) await browser.signIn(name);
  await browser.open(`/api/web/embeds/${id}`);
  return browser;
}

test('an embedded post shows its media and the post that it quotes, as long as that is public', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
  const upload = (await alice.post('/api/v2/media', await multipart({ file, description: 'A wren' }))).json;
  const quoted = await post(bob, { status: 'quote me' });
  const { id } = await post(alice, { status: 'look', media_ids: [upload.id], quoted_status_id: quoted.id });
  const secret = await post(alice, { status: 'for followers', visibility: 'private' });
  const around = await post(alice, { status: 'around it', visibility: 'private', quoted_status_id: secret.id });
  await server.drain();
  const embed = (of = id) => server.anonymous.get(`/@alice/${of}/embed`);
  const { text, headers } = await embed();
  expect(text).toContain('alt="A wren"');
  expect(text).toContain('quote me');
  expect(headers['cache-control']).toBe('public, max-age=180');
  expect((await server.anonymous.get(`/api/oembed?url=https://fieldfare.test/@alice/${id}`)).headers).toMatchObject({
    'cache-control': 'public, max-age=180',
  });
  expect((await embed(around.id)).status).toBe(404);
  await bob.delete(`/api/v1/statuses/${quoted.id}`);
  await server.drain();
  expect((await embed()).text).not.toContain('quote me');
  await suspendAccount(server.app, 'system', { accountId: alice.id });
  const gone = await embed();
  expect([gone.status, gone.headers['cache-control']]).toEqual([404, 'private, no-store']);
});

test('/api/web/embeds returns the oEmbed document of a local post that everyone may see', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const visibility of ['public', 'unlisted']) {
    const status = await post(alice, { status: 'Hi', visibility });
    const { response } = await openEmbed(server, status.id);
    expect(response?.status).toBe(200);
    expect(response?.headers).not.toHaveProperty('access-control-allow-origin');
    expect(response?.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(response?.json).toEqual((await server.anonymous.get(`/api/oembed?url=${status.url}`)).json);
  }
  for (const visibility of ['private', 'direct']) {
    const { id } = await post(alice, { status: 'Hi', visibility });
    for (const name of [undefined, 'alice']) {
      const { response } = await openEmbed(server, id, name);
      expect([response?.status, response?.json], `${visibility} for ${name}`).toEqual([
        404,
        { error: 'Record not found' },
      ]);
    }
  }
  expect((await openEmbed(server, '1')).status).toBe(404);
});

test('/api/web/embeds returns a frame for a remote post to signed-in users, and asks its server once', async () => {
  await using scene = await twoServers();
  const { a, bob, network } = scene;
  const { uri, url } = await post(bob, { status: 'a far away post' });
  const id = await resolveStatusOn(a, uri);
  network.requests.length = 0;
  expect((await openEmbed(a, id)).status).toBe(404);
  expect(network.requests).toEqual([]);
  for (let time = 0; time < 2; time += 1) {
    const { response } = await openEmbed(a, id, 'alice');
    expect(response?.json).toEqual({
      type: 'rich',
      version: '1.0',
      title: expect.stringContaining('bob'),
      author_name: 'bob',
      author_url: 'https://b.test/@bob',
      provider_name: 'b.test',
      provider_url: 'https://b.test/',
      cache_age: 3600,
      html: expect.stringMatching(new RegExp(`^<iframe src="${url}/embed" [^>]*sandbox="[^"]+"[^>]*></iframe>$`)),
      width: 400,
      height: 400,
    });
  }
  expect(network.requests.map((request) => request.url.replace(/\?.*/, ''))).toEqual([
    url,
    'https://b.test/api/oembed',
  ]);
});

/** Starts a server that knows a post of far.test, whose oEmbed document has this HTML. */
async function withRemoteHtml(html: string | undefined, visibility: Visibility = 'public') {
  const network = new Network();
  const server = await network.start('a.test');
  await server.user('alice');
  const json = { 'content-type': 'application/json' };
  network.addHost('far.test', ({ pathname }) =>
    pathname === '/oembed'
      ? { headers: json, body: Buffer.from(JSON.stringify({ version: '1.0', type: 'rich', html, width: 9 ** 9 })) }
      : {
          headers: { 'content-type': 'text/html' },
          body: Buffer.from(
            `<title>A post</title>${html === undefined ? '' : '<link rel="alternate" type="application/json+oembed" href="/oembed">'}`,
          ),
        },
  );
  const actor = 'https://far.test/users/bob';
  const accountId = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri: actor, username: 'bob', domain: 'far.test', inboxUrl: `${actor}/inbox` }),
  );
  const publishedAt = network.clock.now();
  const uri = 'https://far.test/1';
  const id = await storeRemoteStatus(server.app, { accountId, visibility, publishedAt, uri, content: '<p>Hi</p>' });
  return { network, server, id, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

test('of the HTML of another server only the address of a frame is taken', async () => {
  const frame = (src: string) => `<iframe src="${src}" onload="alert(1)"></iframe><script>alert(2)</script>`;
  const mastodon = '<blockquote class="mastodon-embed" data-embed-url="https://far.test/@bob/1/embed"></blockquote>';
  const cases: [html: string | undefined, src: string | undefined][] = [
    [frame('https://far.test/frame'), 'https://far.test/frame'],
    [`${mastodon}<script src="https://far.test/embed.js"></script>`, 'https://far.test/@bob/1/embed'],
    [frame('javascript:alert(1)'), undefined],
    [frame('http://far.test/frame'), undefined],
    [frame('https://a.test/auth/edit'), undefined],
    [mastodon.replace('https:', 'data:'), undefined],
    ['<script>alert(1)</script>', undefined],
    [undefined, undefined],
  ];
  for (const [html, src] of cases) {
    await using scene = await withRemoteHtml(html);
    const { response } = await openEmbed(scene.server, scene.id, 'alice');
    expect(response?.status, html).toBe(src === undefined ? 404 : 200);
    if (src === undefined) continue;
    expect(response?.json.html).toMatch(/^<iframe src="[^"<>]+" sandbox="[^"]+"[^<>]*><\/iframe>$/);
    expect(response?.json).toMatchObject({ html: expect.stringContaining(`src="${src}"`), width: 400, height: null });
  }
});

test('a remote post that is not public is not fetched; while its server is down, the response is 503', async () => {
  await using secret = await withRemoteHtml('<iframe src="https://far.test/frame"></iframe>', 'private');
  expect((await openEmbed(secret.server, secret.id, 'alice')).status).toBe(404);
  expect(secret.network.requests).toEqual([]);
  await using down = await withRemoteHtml('<iframe src="https://far.test/frame"></iframe>');
  down.network.takeDown('far.test');
  expect((await openEmbed(down.server, down.id, 'alice')).status).toBe(503);
  down.network.bringUp('far.test');
  expect((await openEmbed(down.server, down.id, 'alice')).status).toBe(200);
});
