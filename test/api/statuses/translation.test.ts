import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { StatusId } from '../../../server/platform/ids.ts';
import type { OutgoingRequest } from '../../../server/platform/outgoing/outgoing.ts';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { Network, type HostHandler } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';

const json = (value: unknown, status = 200): Awaited<ReturnType<HostHandler>> => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

type LibreTranslateRequest = { q: string[]; source: string; target: string; format: string; api_key?: string };

const libreLanguages = [
  { code: 'de', name: 'German', targets: ['de', 'en', 'zt'] },
  { code: 'en', name: 'English', targets: ['de', 'en'] },
  { code: 'zt', name: 'Chinese (traditional)', targets: ['en'] },
];

/** Starts a server with one user, and a fake LibreTranslate in its private network that uses `translateText`. */
async function startWithLibreTranslate(
  translateText: (text: string) => string = (text) => text.toUpperCase(),
  key?: string,
) {
  const network = new Network();
  const received: LibreTranslateRequest[] = [];
  const server = await network.start('a.test', {
    settings: { TRANSLATION_URL: 'http://translate.internal:5000/', ...(key && { TRANSLATION_KEY: key }) },
  });
  network.addHost('translate.internal:5000', ({ pathname }, request: OutgoingRequest) => {
    expect(request).toMatchObject({ trusted: true, timeoutMs: 20_000 });
    if (pathname === '/languages') return json(libreLanguages);
    expect(pathname).toBe('/translate');
    const body = JSON.parse(String(request.body)) as LibreTranslateRequest;
    received.push(body);
    return json({
      translatedText: body.q.map(translateText),
      ...(body.source === 'auto' && { detectedLanguage: body.q.map(() => ({ language: 'de', confidence: 90 })) }),
    });
  });
  const alice = await server.user('alice');
  return { network, server, alice, received, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

async function post(user: TestUser, status: string, more: object = {}): Promise<StatusId> {
  const response = await user.post('/api/v1/statuses', { status, language: 'de', ...more });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.json.id as StatusId;
}

const translate = (user: TestUser, id: StatusId, body: object = { lang: 'en' }) =>
  user.post(`/api/v1/statuses/${id}/translate`, body);

async function storeRemotePost(server: TestServer, content: string, language: string | null): Promise<StatusId> {
  const uri = 'https://far.test/users/bob';
  const accountId = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'bob', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const remote = { accountId, uri: `${uri}/1`, visibility: 'public' as const, content, language };
  return (await storeRemoteStatus(server.app, { ...remote, publishedAt: server.clock.now() })) as StatusId;
}

test('STA-21: LibreTranslate translates a public post and its content warning in one request', async () => {
  await using libre = await startWithLibreTranslate(undefined, 'secret');
  const id = await post(libre.alice, 'Guten Tag', { spoiler_text: 'Gruß <3 :wave:', visibility: 'unlisted' });
  const response = await translate(libre.alice, id);
  expect(response.status).toBe(200);
  expect(response.json).toEqual({
    content: '<p>GUTEN TAG</p>',
    spoiler_text: 'GRUSS <3 :WAVE:',
    language: 'en',
    poll: null,
    media_attachments: [],
    detected_source_language: 'de',
    provider: 'LibreTranslate',
  });
  expect(libre.received).toEqual([
    {
      q: ['<p>Guten Tag</p>', 'Gruß &lt;3 <span translate="no">:wave:</span>'],
      source: 'de',
      target: 'en',
      format: 'html',
      api_key: 'secret',
    },
  ]);
});

test('STA-21: poll options are translated with the post', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Was?', { poll: { options: ['ja & nein', '<b>'], expires_in: 3_600 } });
  const { json: response } = await translate(libre.alice, id);
  const { poll } = (await libre.alice.get(`/api/v1/statuses/${id}`)).json;
  expect(response.poll).toEqual({ id: poll.id, options: [{ title: 'JA & NEIN' }, { title: '<B>' }] });
});

test('STA-21: media descriptions are translated, and missing ones stay null', async () => {
  await using libre = await startWithLibreTranslate((text) => text.replace('Vogel', 'bird'));
  const { server } = libre;
  const uri = 'https://far.test/users/eve';
  const accountId = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'eve', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const id = await storeRemoteStatus(server.app, {
    accountId,
    uri: `${uri}/1`,
    visibility: 'public',
    content: '',
    language: 'de',
    publishedAt: server.clock.now(),
    attachments: [
      { url: 'https://far.test/1.png', contentType: 'image/png', description: 'Ein Vogel\nim Baum' },
      { url: 'https://far.test/2.png', contentType: 'image/png' },
    ],
  });
  const { json: response } = await translate(libre.alice, id as StatusId);
  expect(response.content).toBe('');
  expect(response.media_attachments.map(({ description }: { description: unknown }) => description)).toEqual([
    'Ein bird\nim Baum',
    null,
  ]);
});

test('STA-21: the service detects the language of a post without one', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await storeRemotePost(libre.server, '<p>Hm</p>', null);
  expect((await translate(libre.alice, id)).json).toMatchObject({
    content: '<p>HM</p>',
    detected_source_language: 'de',
  });
  expect(libre.received[0]?.source).toBe('auto');
});

test('STA-21: a translation is cached for a day, for all viewers', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  const bob = await libre.server.user('bob');
  await Promise.all([translate(libre.alice, id), translate(bob, id)]);
  await translate(bob, id);
  expect(libre.received).toHaveLength(1);
  libre.network.clock.advance(86_401);
  await libre.server.runSchedule('translation.clean_up_translations');
  expect(await libre.server.app.db.selectFrom('translations').selectAll().execute()).toEqual([]);
  await translate(bob, id);
  expect(libre.received).toHaveLength(2);
});

test('STA-21: translating a boost translates the boosted post', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  const bob = await libre.server.user('bob');
  const { json: reblog } = await bob.post(`/api/v1/statuses/${id}/reblog`);
  expect((await translate(bob, reblog.id)).json.content).toBe('<p>HALLO</p>');
});

test('STA-21: private and direct posts are never sent to the service (403, or 404 if not visible)', async () => {
  await using libre = await startWithLibreTranslate();
  const bob = await libre.server.user('bob');
  for (const visibility of ['private', 'direct']) {
    const id = await post(libre.alice, 'geheim', { visibility });
    expect((await translate(libre.alice, id)).status).toBe(403);
    expect((await translate(bob, id)).status).toBe(404);
  }
  expect(libre.network.requests).toEqual([]);
});

test('STA-21: unsupported target languages, and the language of the post, are 403', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  for (const lang of ['fr', 'de', 'nonsense', '']) {
    expect((await translate(libre.alice, id, { lang })).status, lang).toBe(403);
  }
  const tw = await translate(libre.alice, id, { lang: 'zh-TW' });
  expect(tw.json).toMatchObject({ language: 'zh-TW' });
  expect(libre.received[0]?.target).toBe('zt');
  expect((await translate(libre.alice, id, { lang: 'en-GB' })).json.language).toBe('en');
  // Defaults to the language of the user.
  expect((await translate(libre.alice, id, {})).json.language).toBe('en');
});

test('STA-21: translating needs a user token with a matching scope', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  const path = `/api/v1/statuses/${id}/translate`;
  expect((await libre.server.anonymous.post(path)).status).toBe(401);
  expect((await (await libre.server.appToken()).post(path)).status).toBe(422);
  expect((await translate(await libre.server.withScopes(libre.alice, 'read:accounts'), id)).status).toBe(403);
  expect((await translate(await libre.server.withScopes(libre.alice, 'read:statuses'), id)).status).toBe(200);
});

test('STA-21: mentions, hashtags and URLs are preserved, even if the service changes them', async () => {
  await using libre = await startWithLibreTranslate((text) =>
    text
      .replaceAll(/>([^<]+)</g, (_, words: string) => `>${words.toUpperCase()}<`)
      .replace('class="u-url mention"', 'class="u-url"'),
  );
  await libre.server.user('bob');
  const id = await post(libre.alice, 'Hallo @bob und #Vögel auf https://example.com/Pfad :wave:');
  const { json: response } = await translate(libre.alice, id);
  expect(response.content).toContain('HALLO ');
  expect(response.content).toMatch(/href="https:\/\/a\.test\/@bob" class="u-url mention"[^>]*>@<span>bob<\/span><\/a>/);
  expect(response.content).toMatch(/class="mention hashtag"[^>]*>#<span>Vögel<\/span><\/a>/);
  expect(response.content).toMatch(/href="https:\/\/example\.com\/Pfad"[^>]*><span class="invisible">https:\/\//);
  expect(response.content).toContain('example.com/Pfad');
});

test('STA-21: a hostile service cannot inject markup, scripts or links (CVE-2023-42452)', async () => {
  await using libre = await startWithLibreTranslate(
    () =>
      '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror=alert(1)> <a href="javascript:alert(1)">a</a> ' +
      '<a href="https://evil.test/" class="mention">pay</a> &lt;script&gt;</p>',
  );
  const id = await post(libre.alice, 'Hallo', { spoiler_text: 'Achtung' });
  const { json: response } = await translate(libre.alice, id);
  expect(response.content).toBe('<p>Hi <span>a</span> pay &lt;script&gt;</p>');
  expect(response.spoiler_text).toBe('Hi a pay <script>');
});

test('STA-21: the text of a link is translated, and its target is kept', async () => {
  await using libre = await startWithLibreTranslate((text) => text.replace('diese Geschichte', 'this story'));
  const id = await storeRemotePost(
    libre.server,
    '<p>Lies <a href="https://news.test/s">diese Geschichte</a></p>',
    'de',
  );
  const { json: response } = await translate(libre.alice, id);
  expect(response.content).toMatch(
    /<a href="https:\/\/news\.test\/s" rel="nofollow noopener" target="_blank">this story<\/a>/,
  );
});

test('STA-21: a service that fails, throttles or is out of quota is a 503 with a reason', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  let response: Awaited<ReturnType<HostHandler>> = json({}, 429);
  await translate(libre.alice, await post(libre.alice, 'Erstes'));
  libre.network.addHost('translate.internal:5000', ({ pathname }) =>
    pathname === '/languages' ? json(libreLanguages) : response,
  );
  expect(await translate(libre.alice, id)).toMatchObject({
    status: 503,
    json: { error: 'The translation service received too many requests. Try again later' },
  });
  response = json({}, 403);
  expect(await translate(libre.alice, id)).toMatchObject({
    status: 503,
    json: { error: 'The translation quota of this server is used up. Try again later' },
  });
  for (const invalid of [
    json({}, 500),
    json({}),
    json({ translatedText: [] }),
    json([1]),
    { body: Buffer.from('<html>') },
  ]) {
    response = invalid;
    expect(await translate(libre.alice, id)).toMatchObject({
      status: 503,
      json: { error: 'Remote data could not be fetched' },
    });
  }
  libre.network.takeDown('translate.internal:5000');
  expect((await translate(libre.alice, id)).status).toBe(503);
  libre.network.bringUp('translate.internal:5000');
  response = json({ translatedText: ['<p>Hello</p>'] });
  expect((await translate(libre.alice, id)).json).toMatchObject({
    content: '<p>Hello</p>',
    detected_source_language: 'de',
  });
});

test('STA-21: without a service, translating is 404 and the instance reports it as disabled', async () => {
  const network = new Network();
  await using server = await network.start('a.test');
  const alice = await server.user('alice');
  expect((await translate(alice, await post(alice, 'Hallo'))).status).toBe(404);
  expect((await server.anonymous.get('/api/v1/instance/translation_languages')).json).toEqual({});
  expect((await server.anonymous.get('/api/v2/instance')).json.configuration.translation).toEqual({ enabled: false });
});

test('STA-21: the languages are public, and cached between requests', async () => {
  await using libre = await startWithLibreTranslate();
  const { server, network } = libre;
  const path = '/api/v1/instance/translation_languages';
  for (let visit = 0; visit < 3; visit += 1) {
    expect((await server.anonymous.get(path)).json).toEqual({
      de: ['en', 'zh-TW'],
      en: ['de'],
      'zh-TW': ['en'],
      und: ['en', 'zh-TW', 'de'],
    });
  }
  expect(network.requests).toHaveLength(1);
  expect((await server.anonymous.get('/api/v2/instance')).json.configuration.translation).toEqual({ enabled: true });
});

test('STA-21: a failure to load the languages is cached, too', async () => {
  await using libre = await startWithLibreTranslate();
  libre.network.takeDown('translate.internal:5000');
  for (let visit = 0; visit < 3; visit += 1) {
    expect((await libre.server.anonymous.get('/api/v1/instance/translation_languages')).status).toBe(503);
  }
  expect(libre.network.requests).toHaveLength(1);
});

test('STA-21: DeepL is supported, with its own language codes', async () => {
  const network = new Network();
  const received: URLSearchParams[] = [];
  await using server = await network.start('a.test', {
    settings: { TRANSLATION_BACKEND: 'deepl', TRANSLATION_KEY: 'key:fx' },
  });
  let status = 200;
  network.addHost('api-free.deepl.com', ({ pathname, searchParams }, { headers = {}, body }) => {
    expect(headers['authorization']).toBe('DeepL-Auth-Key key:fx');
    if (pathname === '/v2/languages') {
      const codes = searchParams.get('type') === 'source' ? ['DE', 'EN', 'PT'] : ['DE', 'EN-GB', 'EN-US', 'PT-BR'];
      return json(codes.map((language) => ({ language, name: language })));
    }
    expect(pathname).toBe('/v2/translate');
    const form = new URLSearchParams(String(body));
    received.push(form);
    return json(
      { translations: form.getAll('text').map((text) => ({ detected_source_language: 'DE', text: `[${text}]` })) },
      status,
    );
  });
  const alice = await server.user('alice');
  const id = await post(alice, 'Hallo', { spoiler_text: 'Gruß' });
  expect((await translate(alice, id, { lang: 'pt-BR' })).json).toMatchObject({
    content: '[<p>Hallo</p>]',
    spoiler_text: '[Gruß]',
    language: 'pt-BR',
    detected_source_language: 'de',
    provider: 'DeepL.com',
  });
  expect(Object.fromEntries(received[0] ?? [])).toMatchObject({
    source_lang: 'DE',
    target_lang: 'PT-BR',
    tag_handling: 'html',
  });
  expect((await translate(alice, id)).json.language).toBe('en');
  expect(received[1]?.get('target_lang')).toBe('EN-US');
  const unknown = await storeRemotePost(server, '<p>Hm</p>', null);
  expect((await translate(alice, unknown)).json.detected_source_language).toBe('de');
  expect(received[2]?.has('source_lang')).toBe(false);
  expect((await server.anonymous.get('/api/v1/instance/translation_languages')).json.de).toEqual([
    'en',
    'pt',
    'en-GB',
    'en-US',
    'pt-BR',
  ]);
  const other = await post(alice, 'Anderes');
  status = 456;
  expect((await translate(alice, other)).json.error).toContain('used up');
  status = 429;
  expect((await translate(alice, other)).json.error).toContain('too many requests');
});

test('only URLs that the operator configures may be private addresses', () => {
  const trusting = globSync('server/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /\btrusted: true\b/.test(readFileSync(file, 'utf8')),
  );
  expect(trusting.toSorted()).toEqual(['server/instance/donation-campaigns.ts', 'server/translation/service.ts']);
});

test('slow translations of one account do not delay other accounts', async () => {
  await using libre = await startWithLibreTranslate();
  const { network, server, alice } = libre;
  const bob = await server.user('bob');
  const slow = Promise.withResolvers<void>();
  let waiting = 0;
  network.addHost('translate.internal:5000', async ({ pathname }, request) => {
    if (pathname === '/languages') return json(libreLanguages);
    const { q } = JSON.parse(String(request.body)) as LibreTranslateRequest;
    if (q.join().includes('slow')) {
      waiting += 1;
      await slow.promise;
    }
    return json({ translatedText: q.map((text) => text.toUpperCase()) });
  });
  const ids: StatusId[] = [];
  for (let number = 0; number < 8; number += 1) ids.push(await post(alice, `slow ${number}`));
  const quick = await post(bob, 'quick');
  const responses = ids.map((id) => translate(alice, id));
  await expect.poll(() => waiting).toBe(3);
  expect((await translate(bob, quick)).json.content).toBe('<p>QUICK</p>');
  expect(waiting).toBe(3);
  slow.resolve();
  for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  expect(waiting).toBe(8);
});

test('responses of the service are stored and shown within the limit of HTML', async () => {
  await using libre = await startWithLibreTranslate((text) => text.repeat(40_000));
  const id = await post(libre.alice, 'Guten Tag', { spoiler_text: 'Vorsicht' });
  const { status, json: shown } = await translate(libre.alice, id);
  expect(status).toBe(200);
  for (const text of [shown.content, shown.spoiler_text]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
  const { answer } = await libre.server.app.db.selectFrom('translations').select('answer').executeTakeFirstOrThrow();
  for (const text of answer.texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
});
