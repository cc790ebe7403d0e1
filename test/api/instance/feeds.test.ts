import { XMLParser, XMLValidator } from 'fast-xml-parser';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import { suspendAccount } from '../../../server/moderation/index.ts';
import { recordStatements } from '../../record-statements.ts';
import { multipart, startServer, type TestResponse, type TestServer, type TestUser } from '../../server.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => ['item', 'category', 'media:content'].includes(name),
});

/** An item as `fast-xml-parser` returns it. */
type Item = Record<string, string> & { readonly 'media:content'?: Record<string, string>[] };

function parseFeed({ text, status }: TestResponse): { channel: Record<string, string>; items: Item[] } {
  expect(status).toBe(200);
  expect(XMLValidator.validate(text)).toBe(true);
  const { channel } = parser.parse(text).rss;
  return { channel, items: channel.item ?? [] };
}

const describeItems = (response: TestResponse): string[] =>
  parseFeed(response).items.map(({ description = '' }) => description.replaceAll(/<[^>]*>/g, ''));

async function post(user: TestUser, fields: object): Promise<string> {
  return (await user.post('/api/v1/statuses', fields)).json.id as string;
}

async function upload(user: TestUser, description: string): Promise<string> {
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file, description }))).json.id as string;
}

async function silence({ app, clock, db }: TestServer, { id }: TestUser): Promise<void> {
  await db.updateTable('accounts').set({ silenced_at: clock.now() }).where('id', '=', id).execute();
  clearCaches(app);
}

/** Alice with a post, a reply, a reblog, an image, and posts that not everyone may see. */
async function createScene(server: TestServer) {
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const question = await post(bob, { status: 'a question' });
  await post(alice, { status: 'the first #birds' });
  await post(alice, { status: '@bob a reply', in_reply_to_id: question });
  await alice.post(`/api/v1/statuses/${question}/reblog`);
  await post(alice, { status: 'an image #birds', visibility: 'unlisted', media_ids: [await upload(alice, 'A wren')] });
  await post(alice, { status: 'secret #birds', visibility: 'private' });
  await post(alice, { status: '@bob whispered #birds', visibility: 'direct' });
  await server.drain();
  return { alice, bob };
}

test('profiles have feeds of their public and unlisted posts, with replies, of media and of a hashtag', async () => {
  await using server = await startServer();
  const { alice } = await createScene(server);
  const items = async (path: string) => describeItems(await server.anonymous.get(path));
  expect(await items('/@alice.rss')).toEqual(['an image #birds', 'the first #birds']);
  expect(await items('/@alice/with_replies.rss')).toEqual(['an image #birds', '@bob a reply', 'the first #birds']);
  expect(await items('/@alice/media.rss')).toEqual(['an image #birds']);
  expect(await items('/@alice/tagged/birds.rss')).toEqual(['an image #birds', 'the first #birds']);
  expect(await items('/@alice/tagged/nothing.rss')).toEqual([]);
  expect(await items('/@alice.rss?limit=1')).toEqual(['an image #birds']);
  expect(await items('/@alice.rss?limit=-1')).toEqual(['an image #birds']);
  expect(await items('/@alice.rss?limit=0')).toEqual([]);
  // The author sees nothing more.
  expect(describeItems(await alice.get('/@alice.rss'))).toHaveLength(2);
});

test('a hashtag has a feed of its public posts', async () => {
  await using server = await startServer();
  const { bob } = await createScene(server);
  await post(bob, { status: 'more #birds' });
  for (const path of ['/tags/birds.rss', '/tags/birds.rss?local=true', '/tags/Birds.rss']) {
    expect(describeItems(await server.anonymous.get(path)), path).toEqual(['more #birds', 'the first #birds']);
  }
  const { channel } = parseFeed(await server.anonymous.get('/tags/birds.rss?limit=1'));
  expect(channel).toMatchObject({ title: '#birds', link: 'https://fieldfare.test/tags/birds' });
  expect(describeItems(await server.anonymous.get('/tags/nothing.rss'))).toEqual([]);
  expect((await server.anonymous.get('/tags/%20.rss')).status).toBe(404);
  await silence(server, bob);
  expect(describeItems(await server.anonymous.get('/tags/birds.rss'))).toEqual(['the first #birds']);
});

test('an item has a permanent link, its date, files, hashtags, content warning and poll', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice <b> & "co"' });
  const media_ids = [await upload(alice, 'A "wren" & <robin>'), await upload(alice, '')];
  const { json } = await alice.post('/api/v1/statuses', {
    status: 'x < y & z ]]> :wren: #birds',
    spoiler_text: 'a <warning>',
    media_ids,
  });
  await post(alice, { status: 'which?', poll: { options: ['wren & co', '<heron>'], expires_in: 3600 } });
  const { channel, items } = parseFeed(await server.anonymous.get('/@alice.rss'));
  expect(channel).toMatchObject({
    title: 'Alice <b> & "co"',
    description: 'Public posts from @alice@fieldfare.test',
    link: 'https://fieldfare.test/@alice',
    'atom:link': { '@href': 'https://fieldfare.test/@alice.rss' },
    lastBuildDate: server.clock.now().toUTCString(),
    generator: expect.stringMatching(/^Fieldfare v/),
    image: { url: expect.stringMatching(/^https:/), link: 'https://fieldfare.test/@alice' },
  });
  const [poll, image] = items;
  expect(poll?.['description']?.replaceAll(/>\s+</g, '><')).toContain(
    '<ul><li>wren &amp; co</li><li>&lt;heron&gt;</li></ul>',
  );
  expect(image).toMatchObject({
    guid: { '#text': json.url, '@isPermaLink': 'true' },
    link: json.url,
    pubDate: new Date(json.created_at).toUTCString(),
    category: ['birds'],
    enclosure: { '@url': json.media_attachments[0].url, '@type': 'image/png' },
  });
  expect(image?.['description']).toMatch(
    /^<p><strong>Content warning:<\/strong> a &lt;warning&gt;<\/p>\s*<hr \/><p>x &lt; y &amp; z \]\]&gt; :wren: <a /,
  );
  const [first, second] = image?.['media:content'] ?? [];
  const { headers } = await server.anonymous.get(new URL(json.media_attachments[0].url).pathname);
  expect(first).toEqual({
    '@url': json.media_attachments[0].url,
    '@type': 'image/png',
    '@fileSize': headers['content-length'],
    '@medium': 'image',
    'media:rating': { '#text': 'adult', '@scheme': 'urn:simple' },
    'media:description': { '#text': 'A "wren" & <robin>', '@type': 'plain' },
    'media:thumbnail': { '@url': json.media_attachments[0].preview_url },
  });
  expect(second).not.toHaveProperty('media:description');
  expect(image).toMatchObject({ enclosure: { '@length': headers['content-length'] } });
});

test('a feed names the post that an item quotes', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { json: quoted } = await bob.post('/api/v1/statuses', { status: 'quote me' });
  await post(alice, { status: 'look', quoted_status_id: quoted.id });
  await server.drain();
  const { items } = parseFeed(await server.anonymous.get('/@alice.rss'));
  expect(items[0]?.['description']).toContain(`<p>Quotes <a href="${quoted.url}">@bob</a></p>`);
  await bob.delete(`/api/v1/statuses/${quoted.id}`);
  await server.drain();
  expect((await server.anonymous.get('/@alice.rss')).text).not.toContain('Quotes');
});

test('unknown, remote, unconfirmed and suspended accounts have no feed; a silenced one keeps its own', async () => {
  await using server = await startServer();
  const { alice } = await createScene(server);
  await server.user('newcomer', { confirmed: false });
  for (const path of [
    '/@newcomer.rss',
    '/@newcomer/media.rss',
    '/@unknown.rss',
    '/@bob@far.test.rss',
    '/@alice.atom',
  ]) {
    expect((await server.anonymous.get(path)).status, path).toBe(404);
  }
  await silence(server, alice);
  expect(describeItems(await server.anonymous.get('/@alice.rss'))).toHaveLength(2);
  await suspendAccount(server.app, 'system', { accountId: alice.id });
  for (const path of ['/@alice.rss', '/@alice/with_replies.rss', '/@alice/media.rss', '/@alice/tagged/birds.rss']) {
    expect((await server.anonymous.get(path)).status, path).toBe(403);
  }
});

test('feeds may be cached for a minute; a client that has the current one gets 304', async () => {
  await using server = await startServer();
  const { alice } = await createScene(server);
  for (const path of ['/@alice.rss', '/tags/birds.rss']) {
    const { headers } = await server.anonymous.get(path);
    expect(headers).toMatchObject({
      'content-type': 'application/rss+xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'x-robots-tag': 'noindex',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    const etag = String(headers['etag']);
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await server.anonymous.get(path, { headers: { 'if-none-match': known } });
      expect([again.status, again.text, again.headers['etag']], known).toEqual([304, '', etag]);
    }
    expect((await server.anonymous.get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    await post(alice, { status: 'another #birds' });
    expect((await server.anonymous.get(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  }
  await alice.patch('/api/v1/accounts/update_credentials', { indexable: true });
  expect((await server.anonymous.get('/@alice.rss')).headers).not.toHaveProperty('x-robots-tag');
});

test('the number of statements for a feed does not depend on its length', async () => {
  await using server = await startServer();
  const { alice } = await createScene(server);
  await post(alice, { status: 'a public image #birds', media_ids: [await upload(alice, 'A heron')] });
  const countStatements = async (path: string) => {
    clearCaches(server.app);
    const sent = await recordStatements(() => server.anonymous.get(path));
    return sent.length;
  };
  const paths = ['/@alice.rss', '/@alice/media.rss', '/@alice/tagged/birds.rss', '/tags/birds.rss'];
  const before: number[] = [];
  for (const path of paths) before.push(await countStatements(path));
  for (let number = 0; number < 8; number += 1) {
    const media_ids = [await upload(alice, 'A wren'), await upload(alice, 'A robin')];
    await post(alice, { status: `number ${number} #birds`, media_ids });
  }
  await server.drain();
  const after: number[] = [];
  for (const path of paths) after.push(await countStatements(path));
  expect(after).toEqual(before);
  expect(Math.max(...after)).toBeLessThan(20);
});

test('pages link to their feeds, and are feeds themselves for clients that prefer RSS', async () => {
  await using server = await startServer();
  await createScene(server);
  const html = { headers: { accept: 'text/html' } };
  for (const path of ['/@alice', '/@alice/with_replies', '/@alice/media', '/@alice/tagged/birds', '/tags/birds']) {
    const page = await server.anonymous.get(path, html);
    const href = /<link rel="alternate" type="application\/rss\+xml" title="[^"]+" href="([^"]+)"/.exec(page.text)?.[1];
    expect(href).toBe(`https://fieldfare.test${path}.rss`);
    const feed = await server.anonymous.get(`${path}.rss`);
    const accept = 'application/rss+xml, text/html;q=0.5, */*;q=0.1';
    const negotiated = await server.anonymous.get(path, { headers: { accept } });
    expect(negotiated.text, path).toBe(feed.text);
    expect([negotiated.headers['vary'], feed.headers['vary']]).toEqual(['Accept', undefined]);
    const both = await server.anonymous.get(path, { headers: { accept: 'text/html, application/rss+xml' } });
    expect(both.headers['content-type'], path).toContain('text/html');
  }
});

test('FED-05: there are no feeds in limited federation mode, and none of hashtags without public preview', async () => {
  for (const settings of [{ LIMITED_FEDERATION: 'on' }, { PUBLIC_PREVIEW: 'off' }]) {
    await using server = await startServer({ settings });
    await createScene(server);
    const status = 'LIMITED_FEDERATION' in settings ? 404 : 200;
    for (const path of ['/@alice.rss', '/@alice/tagged/birds.rss']) {
      expect((await server.anonymous.get(path)).status, path).toBe(status);
    }
    expect((await server.anonymous.get('/tags/birds.rss')).status).toBe(404);
    const accept = { headers: { accept: 'application/rss+xml' } };
    expect((await server.anonymous.get('/tags/birds', accept)).status).toBe(303);
  }
});
