import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../../server/platform/ids.ts';
import { removeCards } from '../../../server/statuses/post/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { countCpuTime } from '../../cpu-time.ts';
import { Network, type HostHandler } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const htmlType = { 'content-type': 'text/html; charset=utf-8' };

const page = (head: string, body = ''): ReturnType<HostHandler> => ({
  headers: htmlType,
  body: Buffer.from(`<!doctype html><html lang="de"><head>${head}</head><body>${body}</body></html>`),
});

/** Starts a server with one user, and a news site that serves these pages by path. */
async function withSite(pages: Record<string, ReturnType<HostHandler>>) {
  const network = new Network();
  const server = await network.start('a.test');
  network.addHost('news.test', ({ pathname }) => pages[pathname] ?? { status: 404 });
  const alice = await server.user('alice');
  return { network, server, alice, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

async function post(user: TestUser, status: string, more: object = {}): Promise<StatusId> {
  const response = await user.post(statuses, { status, ...more });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.json.id as StatusId;
}

const loadCard = async (user: TestUser, id: StatusId) => (await user.get(`${statuses}/${id}`)).json.card;
const requestedUrls = (network: Network, host = 'news.test') =>
  network.requests.filter(({ url }) => new URL(url).host === host).map(({ url }) => url);

/** Returns the original URL of a card's image, which the proxied URL contains. */
const cardImagePath = ({ image }: { image: string }): string =>
  Buffer.from(new URL(image).pathname.split('/').at(-1) ?? '', 'base64url').toString();

/** Returns the card of a post that links to a page with this head. */
async function createCard(head: string, body = '') {
  await using site = await withSite({ '/story': page(head, body) });
  const id = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  return await loadCard(site.alice, id);
}

async function storeRemoteAuthor(server: TestServer): Promise<AccountId> {
  const uri = 'https://far.test/users/bob';
  return transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'bob', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
}

const article = `<title>Short</title>
  <meta property="og:title" content="Fieldfares &amp;amp; friends &lt;b&gt;in&lt;/b&gt; town">
  <meta property="og:description" content="They are
     back">
  <meta property="og:site_name" content="The News">
  <meta property="og:type" content="article">
  <meta property="og:image" content="/bird.jpg"><meta property="og:image:alt" content="A bird">
  <meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
  <meta property="article:published_time" content="2025-03-04T05:06:07+01:00">`;

test('CRD-01: a post gets the card of its first link from a job, after the response', async () => {
  await using site = await withSite({ '/story': page(article) });
  const id = await post(site.alice, 'Read https://news.test/story#top and https://news.test/other');
  expect(await loadCard(site.alice, id)).toBeNull();
  expect(requestedUrls(site.network)).toEqual([]);
  await site.server.drain();
  expect(requestedUrls(site.network)).toEqual(['https://news.test/story']);
  expect(await loadCard(site.alice, id)).toEqual({
    url: 'https://news.test/story',
    title: 'Fieldfares & friends <b>in</b> town',
    description: 'They are back',
    language: 'de',
    type: 'link',
    author_name: '',
    author_url: '',
    provider_name: 'The News',
    provider_url: '',
    html: '',
    width: 1200,
    height: 630,
    image: expect.stringMatching(/^https:\/\/a\.test\/media_proxy\/url\/[\w/-]+\?fetch=[\w-]+$/),
    image_description: 'A bird',
    embed_url: '',
    blurhash: null,
    published_at: '2025-03-04T04:06:07.000Z',
    authors: [],
    missing_attribution: false,
  });
  expect(cardImagePath(await loadCard(site.alice, id))).toBe('https://news.test/bird.jpg');
  const [row] = await site.server.app.db.selectFrom('preview_cards').select(['link_type']).execute();
  expect(row?.link_type).toBe('article');
});

test('CRD-01: for anonymous visitors the image is not fetched, they are redirected to it', async () => {
  await using site = await withSite({ '/story': page(article) });
  const id = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  const { card } = (await site.server.anonymous.get(`${statuses}/${id}`)).json;
  expect(cardImagePath(card)).toBe('https://news.test/bird.jpg');
  expect(card.image).not.toContain('fetch=');
  const path = new URL(card.image).pathname;
  const { status, headers } = await site.server.anonymous.get(path);
  expect({ status, location: headers['location'] }).toEqual({ status: 302, location: 'https://news.test/bird.jpg' });
  expect(requestedUrls(site.network)).toEqual(['https://news.test/story']);
});

test('CRD-01: an edit replaces the card by that of the new first link, or removes it', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>'), '/other': page('<title>Other</title>') });
  const id = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  await site.alice.put(`${statuses}/${id}`, { status: 'https://news.test/other' });
  await site.server.drain();
  expect(await loadCard(site.alice, id)).toMatchObject({ title: 'Other', url: 'https://news.test/other' });
  await site.alice.put(`${statuses}/${id}`, { status: 'nothing' });
  await site.server.drain();
  expect(await loadCard(site.alice, id)).toBeNull();
});

test('CRD-01: anonymous visitors and reblogs get the same card; only signed-in viewers get missing_attribution', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>') });
  const id = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  const { card } = (await site.server.anonymous.get(`${statuses}/${id}`)).json;
  expect(card).toMatchObject({ title: 'Story' });
  expect(card).not.toHaveProperty('missing_attribution');
  const bob = await site.server.user('bob');
  const { json } = await bob.post(`${statuses}/${id}/reblog`);
  expect(json.reblog.card).toMatchObject({ title: 'Story', missing_attribution: false });
  expect(json.card).toBeNull();
});

test('CRD-01: mentions, hashtags, local pages and posts with attachments have no card', async () => {
  await using site = await withSite({});
  await site.server.user('bob');
  const id = await post(site.alice, '@bob #birds https://a.test/@bob https://A.test./about');
  await site.server.drain();
  expect(await loadCard(site.alice, id)).toBeNull();
  expect(site.network.requests).toEqual([]);

  const bob = await storeRemoteAuthor(site.server);
  const remote = {
    accountId: bob,
    visibility: 'public' as const,
    publishedAt: site.network.clock.now(),
    mentions: [{ accountId: bob }],
  };
  const content =
    '<p class="quote-inline">RE: <a href="https://news.test/quoted">x</a></p><p><a href="https://far.test/users/bob">bob</a> ' +
    '<a rel="tag" href="https://far.test/tag/x">#x</a> <span class="h-card"><a class="u-url mention" href="https://else.test/@eve">@eve</a></span></p>';
  await storeRemoteStatus(site.server.app, { ...remote, uri: 'https://far.test/1', content });
  await storeRemoteStatus(site.server.app, {
    ...remote,
    uri: 'https://far.test/2',
    content: '<p><a href="https://news.test/story">a story</a></p>',
    attachments: [{ url: 'https://far.test/x.png', contentType: 'image/png' }],
  });
  site.network.clock.advance(120);
  await site.server.drain();
  expect(site.network.requests).toEqual([]);
});

test('CRD-01: the card of a remote post is fetched after a delay of at most a minute', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>') });
  const bob = await storeRemoteAuthor(site.server);
  const id = await storeRemoteStatus(site.server.app, {
    accountId: bob,
    visibility: 'public',
    publishedAt: site.network.clock.now(),
    uri: 'https://far.test/1',
    content: '<p><a href="https://news.test/story">a story</a></p>',
  });
  await site.server.drain();
  site.network.clock.advance(61);
  await site.server.drain();
  expect(await loadCard(site.alice, id as StatusId)).toMatchObject({ title: 'Story', url: 'https://news.test/story' });
});

test('CRD-01: a page is fetched once for all posts, also through redirects, and again after 14 days', async () => {
  await using site = await withSite({
    '/short': { status: 301, headers: { location: 'https://news.test/story' } },
    '/story': page('<title>Story</title>'),
  });
  const ids = [];
  for (let index = 0; index < 5; index += 1) ids.push(await post(site.alice, `${index} https://news.test/story`));
  await site.server.drain();
  expect(requestedUrls(site.network)).toHaveLength(1);
  for (const id of ids) expect(await loadCard(site.alice, id)).toMatchObject({ title: 'Story' });

  const short = await post(site.alice, 'https://news.test/short');
  await site.server.drain();
  expect(await loadCard(site.alice, short)).toMatchObject({ title: 'Story', url: 'https://news.test/short' });
  expect(await site.server.app.db.selectFrom('preview_cards').selectAll().execute()).toHaveLength(1);

  site.network.requests.length = 0;
  site.network.clock.advance(13 * 86_400);
  await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  expect(requestedUrls(site.network)).toEqual([]);
  site.network.clock.advance(2 * 86_400);
  site.network.addHost('news.test', () => page('<title>New title</title>') as Awaited<ReturnType<HostHandler>>);
  const later = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  expect(requestedUrls(site.network)).toEqual(['https://news.test/story']);
  expect(await loadCard(site.alice, later)).toMatchObject({ title: 'New title' });
});

test('CRD-01: an unreachable page is requested four times in all; an existing card stays', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>') });
  site.network.takeDown('news.test');
  const id = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  site.network.bringUp('news.test');
  site.network.clock.advance(61);
  await site.server.drain();
  expect(await loadCard(site.alice, id)).toMatchObject({ title: 'Story' });

  site.network.takeDown('news.test');
  site.network.clock.advance(15 * 86_400);
  const stale = await post(site.alice, 'https://news.test/story');
  await site.server.drain();
  expect(await loadCard(site.alice, stale)).toMatchObject({ title: 'Story' });

  site.network.requests.length = 0;
  const unreachable = await post(site.alice, 'https://dead.test/');
  for (let hour = 0; hour < 30; hour += 1) {
    await site.server.drain();
    site.network.clock.advance(3_600);
  }
  expect(requestedUrls(site.network, 'dead.test')).toHaveLength(4);
  expect(await loadCard(site.alice, unreachable)).toBeNull();
  const { count } = await site.server.app.db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe('0');
});

test('CRD-01: only HTML pages with a title or other metadata have a card', async () => {
  await using site = await withSite({
    '/pdf': { headers: { 'content-type': 'application/pdf' }, body: Buffer.from('<title>x</title>') },
    '/untyped': { body: Buffer.from('<title>x</title>') },
    '/empty': page(''),
    '/gone': { status: 410, headers: htmlType, body: Buffer.from('<title>Gone</title>') },
    '/huge': { headers: htmlType, body: Buffer.alloc(7_000_000, '<p>') },
    '/home': { status: 302, headers: { location: 'https://a.test/about' } },
  });
  for (const path of ['pdf', 'untyped', 'empty', 'gone', 'huge', 'home', 'missing']) {
    const id = await post(site.alice, `https://news.test/${path}`);
    await site.server.drain();
    expect(await loadCard(site.alice, id), path).toBeNull();
  }
  expect(await site.server.app.db.selectFrom('preview_cards').selectAll().execute()).toEqual([]);
});

test('CRD-01: no card is fetched for a deleted post', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>') });
  const id = await post(site.alice, 'https://news.test/story');
  await site.alice.delete(`${statuses}/${id}`);
  await site.server.drain();
  expect(requestedUrls(site.network)).toEqual([]);
});

test('CRD-01: the charset is taken from the header, else from the page, else detected from its bytes', async () => {
  const german = (meta: string) => Buffer.from(`<html><head>${meta}<title>Bl\u00fcte</title></head></html>`, 'latin1');
  await using site = await withSite({
    '/header': { headers: { 'content-type': 'text/html; charset=ISO-8859-1' }, body: german('') },
    '/meta': { headers: { 'content-type': 'text/html' }, body: german('<meta charset="iso-8859-1">') },
    '/equiv': {
      headers: { 'content-type': 'text/html' },
      body: german('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
    },
    '/unsaid': { headers: { 'content-type': 'text/html' }, body: german('') },
    '/lie': { headers: { 'content-type': 'text/html; charset=nonsense' }, body: Buffer.from('<title>Blüte</title>') },
    '/wide': {
      headers: { 'content-type': 'text/html' },
      body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>Blüte</title>', 'utf16le')]),
    },
  });
  for (const path of ['header', 'meta', 'equiv', 'unsaid', 'lie', 'wide']) {
    const id = await post(site.alice, `https://news.test/${path}`);
    await site.server.drain();
    expect(await loadCard(site.alice, id), path).toMatchObject({ title: 'Blüte' });
  }
});

test('CRD-01: structured data provides the author, headline, date, language and publisher', async () => {
  const data = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: 'Site' },
      {
        '@type': ['NewsArticle'],
        headline: 'Tom &amp; Jerry',
        description: 'A <b>chase</b>',
        datePublished: '2025-01-02T03:04:05Z',
        inLanguage: { '@type': 'Language', name: 'English', alternateName: 'en-GB' },
        author: [{ '@type': 'Person', name: 'Ann', url: 'https://news.test/ann' }, { name: 'Bea' }],
        publisher: { '@type': 'Organization', name: 'The Paper' },
      },
    ],
  };
  const card = await createCard(
    `<script type="application/ld+json">not json</script><script type="application/ld+json">${JSON.stringify(data)}</script>`,
  );
  expect(card).toMatchObject({
    title: 'Tom & Jerry',
    description: 'A <b>chase</b>',
    author_name: 'Ann, Bea',
    author_url: 'https://news.test/ann',
    provider_name: 'The Paper',
    language: 'en',
    published_at: '2025-01-02T03:04:05.000Z',
    authors: [{ name: 'Ann, Bea', url: 'https://news.test/ann', account: null }],
  });
});

async function createOembedCard(oembed: object, head = '<title>Video</title>') {
  await using site = await withSite({
    '/watch': page(
      `<link rel="alternate" type="application/json+oembed" href="/oembed?url=x">${head}<script>"</head>"</script>`,
    ),
    '/oembed': { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(oembed)) },
  });
  const id = await post(site.alice, 'https://news.test/watch');
  await site.server.drain();
  return await loadCard(site.alice, id);
}

test('CRD-01: an oEmbed video becomes a new, sandboxed iframe', async () => {
  const card = await createOembedCard({
    version: '1.0',
    type: 'video',
    title: 'Birds in flight',
    author_name: 'Ann',
    author_url: 'https://tube.test/ann',
    provider_name: 'Tube',
    provider_url: 'https://tube.test/',
    thumbnail_url: 'https://tube.test/t.jpg',
    width: 480,
    height: 270,
    html: '<script>alert(1)</script><iframe src="https://tube.test/embed/1?a=b&quot;" width="640" height="360" onload="alert(1)" style="position:fixed" srcdoc="<script>"></iframe><img src=x onerror=alert(1)>',
  });
  expect(card).toMatchObject({
    type: 'video',
    title: 'Birds in flight',
    author_name: 'Ann',
    provider_name: 'Tube',
    provider_url: 'https://tube.test/',
    width: 640,
    height: 360,
    embed_url: 'https://tube.test/embed/1?a=b%22',
  });
  expect(cardImagePath(card)).toBe('https://tube.test/t.jpg');
  expect(card.html).toMatch(/^<iframe src="https:\/\/tube\.test\/embed\/1\?a=b%22" width="640" height="360" sandbox="/);
  expect(card.html).not.toMatch(/script>|onload|onerror|style|srcdoc|<img|top-navigation/);
});

test.for([
  '<script src="https://tube.test/x.js"></script>',
  '<iframe src="http://tube.test/x"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="data:text/html,x"></iframe>',
  '<iframe src="https://a.test/@alice/embed"></iframe>',
  '<iframe src="//A.test/x"></iframe>',
  '<iframe srcdoc="x"></iframe>',
  '<blockquote>x</blockquote>',
])('CRD-01: without a player from another HTTPS origin the card is a plain link: %s', async (html) => {
  const card = await createOembedCard({ version: '1.0', type: 'rich', title: 'Title', html, width: 1, height: 1 });
  expect(card).toMatchObject({ type: 'link', html: '', embed_url: '', title: 'Title' });
});

test('CRD-01: oEmbed photos and rich iframes keep their type; an invalid oEmbed falls back to the page', async () => {
  expect(
    await createOembedCard({ version: '1.0', type: 'photo', url: 'https://tube.test/p.jpg', width: 4, height: 3 }),
  ).toMatchObject({
    type: 'photo',
    embed_url: 'https://tube.test/p.jpg',
    title: 'Video',
    html: '',
    width: 4,
    height: 3,
  });
  expect(
    await createOembedCard({ version: 1, type: 'rich', html: '<iframe src="//tube.test/r"></iframe>', width: '100%' }),
  ).toMatchObject({ type: 'rich', embed_url: 'https://tube.test/r', width: 0 });
  for (const broken of [{ version: '9', type: 'photo' }, [], { type: 'photo', version: '1.0', url: 'file:///x' }]) {
    expect(await createOembedCard(broken)).toMatchObject({ type: 'link', title: 'Video' });
  }
});

test('CRD-01: a twitter:player tag makes a video card', async () => {
  const card = await createCard(
    '<meta name="twitter:title" content="Clip"><meta name="twitter:player" content="https://tube.test/p"><meta name="twitter:player:width" content="100">',
  );
  expect(card).toMatchObject({ type: 'video', title: 'Clip', width: 100, height: 0, embed_url: 'https://tube.test/p' });
});

test('CRD-01: texts are a single line of limited length without bidirectional control characters', async () => {
  const card = await createCard(
    `<title>\u202eevil\u2066 ${'x'.repeat(900)}</title><meta name="description" content="${'é '.repeat(3000)}">` +
      '<meta property="og:image" content="javascript:alert(1)"><meta name="author" content="https://u:p@news.test/">',
  );
  expect(card.title).toMatch(/^evil x+…$/);
  expect(card.title.length).toBeLessThanOrEqual(300);
  expect([...card.description].length).toBeLessThanOrEqual(1_000);
  expect(card).toMatchObject({ image: null, author_url: '', author_name: '' });
});

test('CRD-01: a page made to be slow to parse takes little CPU time', async () => {
  const cpuMs = countCpuTime();
  await createCard(`<title>Deep</title>${'<div>'.repeat(200_000)}`, '<a><b>'.repeat(200_000));
  await createCard(`<title>${'<'.repeat(100_000)}</title>`);
  await createCard('<meta '.repeat(100_000));
  expect(cpuMs()).toBeLessThan(8_000);
});

const creator = '<title>Story</title><meta name="fediverse:creator" content="@Alice@a.test">';

test('CRD-01: an account is shown as the author only if it allows the domain of the page', async () => {
  await using site = await withSite({ '/story': page(creator) });
  const { server, alice } = site;
  const bob = await server.user('bob');
  const id = await post(bob, 'https://news.test/story');
  await server.drain();
  expect(await loadCard(bob, id)).toMatchObject({ authors: [], missing_attribution: false });
  expect(await loadCard(alice, id)).toMatchObject({ authors: [], missing_attribution: true });

  for (const [domain, allowed] of [
    ['ews.test', false],
    ['sub.news.test', false],
    ['news.test', true],
    ['TEST', true],
  ] as const) {
    await setAttributionDomains(server, alice.id, [domain]);
    const card = await loadCard(
      bob,
      await post(bob, 'https://news.test/story').then((next) => server.drain().then(() => next)),
    );
    if (allowed) {
      expect(card.authors, domain).toMatchObject([
        { name: 'alice', url: 'https://a.test/@alice', account: { id: alice.id } },
      ]);
    } else expect(card.authors, domain).toEqual([]);
  }
});

async function setAttributionDomains(server: TestServer, id: AccountId, domains: string[]): Promise<void> {
  await server.db.updateTable('accounts').set({ attribution_domains: domains }).where('id', '=', id).execute();
}

test('CRD-01: attribution is checked for the domain after redirects, not for that of the link', async () => {
  await using site = await withSite({ '/moved': { status: 302, headers: { location: 'https://evil.test/' } } });
  site.network.addHost('evil.test', () => page(creator) as Awaited<ReturnType<HostHandler>>);
  await setAttributionDomains(site.server, site.alice.id, ['news.test']);
  const id = await post(site.alice, 'https://news.test/moved');
  await site.server.drain();
  expect(await loadCard(site.alice, id)).toMatchObject({ title: 'Story', authors: [], missing_attribution: true });
});

test('TML-01: the link timeline pages through the public posts with a card, by any URL of its page', async () => {
  await using site = await withSite({
    '/short': { status: 301, headers: { location: 'https://news.test/story' } },
    '/story': page('<title>Story</title>'),
    '/other': page('<title>Other</title>'),
  });
  const { server, alice } = site;
  const bob = await server.user('bob');
  const ids: StatusId[] = [];
  for (let index = 0; index < 5; index += 1) {
    ids.unshift(await post(alice, index % 2 === 0 ? 'https://news.test/story' : `${index} https://news.test/short`));
    server.clock.advance(1);
  }
  await post(alice, 'https://news.test/story unlisted', { visibility: 'unlisted' });
  await post(alice, 'https://news.test/story private', { visibility: 'private' });
  await post(alice, 'https://news.test/other');
  await server.drain();
  const deleted = await post(bob, 'https://news.test/story');
  const byBob = await post(bob, 'https://news.test/story again');
  await server.drain();
  await bob.delete(`${statuses}/${deleted}`);

  const link = '/api/v1/timelines/link?url=';
  const story = encodeURIComponent('https://news.test/story');
  const listed = (response: { json: { id: StatusId }[] }) => response.json.map(({ id }) => id);
  expect(listed(await server.anonymous.get(`${link}${story}`))).toEqual([byBob, ...ids]);
  expect(listed(await alice.get(`${link}${encodeURIComponent('https://news.test/short#x')}`))).toEqual([byBob, ...ids]);
  await alice.post(`/api/v1/accounts/${bob.id}/mute`);
  expect(listed(await alice.get(`${link}${story}`))).toEqual(ids);

  const first = await alice.get(`${link}${story}&limit=2`);
  expect(listed(first)).toEqual(ids.slice(0, 2));
  const second = await alice.get(first.links.next?.href.replace('https://a.test', '') ?? '');
  expect(listed(second)).toEqual(ids.slice(2, 4));
  expect(listed(await alice.get(second.links.prev?.href.replace('https://a.test', '') ?? ''))).toEqual(ids.slice(0, 2));

  for (const unknown of ['https://news.test/none', 'nonsense', 'javascript:alert(1)', '']) {
    expect((await alice.get(`${link}${encodeURIComponent(unknown)}`)).status, unknown).toBe(404);
  }
});

test('TML-01: without public preview the link timeline requires a token', async () => {
  const network = new Network();
  await using server = await network.start('a.test', { settings: { PUBLIC_PREVIEW: 'off' } });
  expect((await server.anonymous.get('/api/v1/timelines/link?url=x')).status).toBe(401);
});

test('CRD-01: an unknown remote author is fetched', async () => {
  const network = new Network();
  await using server = await network.start('a.test');
  await using far = await network.start('far.test');
  const bob = await far.user('bob');
  await setAttributionDomains(far, bob.id, ['news.test']);
  network.addHost('news.test', () =>
    page('<title>Story</title><meta name="fediverse:creator" content="@bob@far.test">'),
  );
  const alice = await server.user('alice');
  await post(alice, 'https://news.test/story');
  await network.drain();
  const id = await post(alice, 'https://news.test/story');
  await network.drain();
  expect((await loadCard(alice, id)).authors).toMatchObject([{ name: 'bob', account: { acct: 'bob@far.test' } }]);
});

test('CRD-01: cards that no post shows are deleted after a month', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>'), '/other': page('<title>Other</title>') });
  const { server, alice } = site;
  const linking = await post(alice, 'https://news.test/story');
  const edited = await post(alice, 'https://news.test/other');
  await post(alice, 'https://news.test/none');
  await server.drain();
  await alice.put(`${statuses}/${edited}`, { status: 'nothing' });
  await server.drain();
  server.clock.advance(20 * 86_400);
  await server.runSchedule('card.clean_up_cards');
  expect(await server.app.db.selectFrom('card_links').select('url').execute()).toHaveLength(3);
  server.clock.advance(40 * 86_400);
  await server.runSchedule('card.clean_up_cards');
  expect(await server.app.db.selectFrom('card_links').select('url').execute()).toEqual([
    { url: 'https://news.test/story' },
  ]);
  expect(await server.app.db.selectFrom('preview_cards').select('title').execute()).toEqual([{ title: 'Story' }]);
  expect(await loadCard(alice, linking)).toMatchObject({ title: 'Story' });
});

test('cards of old posts are removed, those of local posts only if that is asked for; the links stay', async () => {
  await using site = await withSite({ '/story': page('<title>Story</title>') });
  const { server, alice } = site;
  const link = 'https://news.test/story';
  const own = await post(alice, `Mine ${link}`);
  const accountId = await storeRemoteAuthor(server);
  const remote = await storeRemoteStatus(server.app, {
    uri: 'https://far.test/notes/1',
    accountId,
    content: `<p>Far <a href="${link}">story</a></p>`,
    visibility: 'public',
    publishedAt: server.clock.now(),
  });
  if (remote === undefined) throw new Error('not stored');
  // A job fetches the page of a remote post a moment later.
  await server.drain();
  server.clock.advance(120);
  await server.drain();
  const cards = async () =>
    Promise.all([own, remote].map(async (id) => ((await loadCard(alice, id)) as { title: string } | null)?.title));
  expect(await cards()).toEqual(['Story', 'Story']);
  const remove = (options: { includeLocal?: boolean; dryRun?: boolean } = {}) =>
    removeCards(server.app, 'system', { days: 30, ...options });
  expect(await remove({ includeLocal: true })).toBe(0);
  server.clock.advance(31 * 86_400);
  expect(await remove({ includeLocal: true, dryRun: true })).toBe(2);
  expect(await cards()).toEqual(['Story', 'Story']);
  expect(await remove()).toBe(1);
  expect(await cards()).toEqual(['Story', undefined]);
  expect(await remove({ includeLocal: true })).toBe(1);
  expect(await cards()).toEqual([undefined, undefined]);
  expect((await alice.get(`${statuses}/${own}`)).json.content).toContain(link);
});
