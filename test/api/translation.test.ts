import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { StatusId } from '../../server/platform/ids.ts';
import type { OutgoingRequest } from '../../server/platform/outgoing/outgoing.ts';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { transaction } from '../../server/platform/database/transaction.ts';
import { storeRemoteStatus } from '../../server/statuses/index.ts';
import { Network, type HostHandler } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';

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

/** A server with one user and a LibreTranslate in its private network, which shouts by `shout`. */
async function startWithLibreTranslate(shout: (text: string) => string = (text) => text.toUpperCase(), key?: string) {
  const network = new Network();
  const asked: LibreTranslateRequest[] = [];
  const server = await network.start('a.test', {
    settings: { TRANSLATION_URL: 'http://translate.internal:5000/', ...(key && { TRANSLATION_KEY: key }) },
  });
  network.addHost('translate.internal:5000', ({ pathname }, request: OutgoingRequest) => {
    expect(request.trusted).toBe(true);
    if (pathname === '/languages') return json(libreLanguages);
    expect(pathname).toBe('/translate');
    const body = JSON.parse(String(request.body)) as LibreTranslateRequest;
    asked.push(body);
    return json({
      translatedText: body.q.map(shout),
      ...(body.source === 'auto' && { detectedLanguage: body.q.map(() => ({ language: 'de', confidence: 90 })) }),
    });
  });
  const alice = await server.user('alice');
  return { network, server, alice, asked, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

async function post(user: TestUser, status: string, more: object = {}): Promise<StatusId> {
  const answer = await user.post('/api/v1/statuses', { status, language: 'de', ...more });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json.id as StatusId;
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

test('STA-21: a public post is translated with its warning, by LibreTranslate, in one request', async () => {
  await using libre = await startWithLibreTranslate(undefined, 'secret');
  const id = await post(libre.alice, 'Guten Tag', { spoiler_text: 'Gruß <3 :wave:', visibility: 'unlisted' });
  const answer = await translate(libre.alice, id);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    content: '<p>GUTEN TAG</p>',
    spoiler_text: 'GRUSS <3 :WAVE:',
    language: 'en',
    poll: null,
    media_attachments: [],
    detected_source_language: 'de',
    provider: 'LibreTranslate',
  });
  expect(libre.asked).toEqual([
    {
      q: ['<p>Guten Tag</p>', 'Gruß &lt;3 <span translate="no">:wave:</span>'],
      source: 'de',
      target: 'en',
      format: 'html',
      api_key: 'secret',
    },
  ]);
});

test('STA-21: options of a poll are translated with the post', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Was?', { poll: { options: ['ja & nein', '<b>'], expires_in: 3_600 } });
  const { json: answer } = await translate(libre.alice, id);
  const { poll } = (await libre.alice.get(`/api/v1/statuses/${id}`)).json;
  expect(answer.poll).toEqual({ id: poll.id, options: [{ title: 'JA & NEIN' }, { title: '<B>' }] });
});

test('STA-21: descriptions of files are translated; a file without one stays without', async () => {
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
  const { json: answer } = await translate(libre.alice, id as StatusId);
  expect(answer.content).toBe('');
  expect(answer.media_attachments.map(({ description }: { description: unknown }) => description)).toEqual([
    'Ein bird\nim Baum',
    null,
  ]);
});

test('STA-21: without a known language the service finds it out', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await storeRemotePost(libre.server, '<p>Hm</p>', null);
  expect((await translate(libre.alice, id)).json).toMatchObject({
    content: '<p>HM</p>',
    detected_source_language: 'de',
  });
  expect(libre.asked[0]?.source).toBe('auto');
});

test('STA-21: a translation is kept for a day, and is for everybody', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  const bob = await libre.server.user('bob');
  await Promise.all([translate(libre.alice, id), translate(bob, id)]);
  await translate(bob, id);
  expect(libre.asked).toHaveLength(1);
  libre.network.clock.advance(86_401);
  await libre.server.runSchedule('translation.clean_up_translations');
  expect(await libre.server.app.db.selectFrom('translations').selectAll().execute()).toEqual([]);
  await translate(bob, id);
  expect(libre.asked).toHaveLength(2);
});

test('STA-21: a reblog is translated as what it reblogs', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  const bob = await libre.server.user('bob');
  const { json: reblog } = await bob.post(`/api/v1/statuses/${id}/reblog`);
  expect((await translate(bob, reblog.id)).json.content).toBe('<p>HALLO</p>');
});

test('STA-21: what not everybody may see never leaves the server (403, or 404 for strangers)', async () => {
  await using libre = await startWithLibreTranslate();
  const bob = await libre.server.user('bob');
  for (const visibility of ['private', 'direct']) {
    const id = await post(libre.alice, 'geheim', { visibility });
    expect((await translate(libre.alice, id)).status).toBe(403);
    expect((await translate(bob, id)).status).toBe(404);
  }
  expect(libre.network.requests).toEqual([]);
});

test('STA-21: languages that the service does not know, and the same one, are refused (403)', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  for (const lang of ['fr', 'de', 'nonsense', '']) {
    expect((await translate(libre.alice, id, { lang })).status, lang).toBe(403);
  }
  const tw = await translate(libre.alice, id, { lang: 'zh-TW' });
  expect(tw.json).toMatchObject({ language: 'zh-TW' });
  expect(libre.asked[0]?.target).toBe('zt');
  expect((await translate(libre.alice, id, { lang: 'en-GB' })).json.language).toBe('en');
  // The user's own language.
  expect((await translate(libre.alice, id, {})).json.language).toBe('en');
});

test('STA-21: translating needs a user with the scope', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  const path = `/api/v1/statuses/${id}/translate`;
  expect((await libre.server.anonymous.post(path)).status).toBe(401);
  expect((await (await libre.server.appToken()).post(path)).status).toBe(422);
  expect((await translate(await libre.server.withScopes(libre.alice, 'read:accounts'), id)).status).toBe(403);
  expect((await translate(await libre.server.withScopes(libre.alice, 'read:statuses'), id)).status).toBe(200);
});

test('STA-21: mentions, hashtags and addresses come through, whatever the service makes of them', async () => {
  await using libre = await startWithLibreTranslate((text) =>
    text
      .replaceAll(/>([^<]+)</g, (_, words: string) => `>${words.toUpperCase()}<`)
      .replace('class="u-url mention"', 'class="u-url"'),
  );
  await libre.server.user('bob');
  const id = await post(libre.alice, 'Hallo @bob und #Vögel auf https://example.com/Pfad :wave:');
  const { json: answer } = await translate(libre.alice, id);
  expect(answer.content).toContain('HALLO ');
  expect(answer.content).toMatch(/href="https:\/\/a\.test\/@bob" class="u-url mention"[^>]*>@<span>bob<\/span><\/a>/);
  expect(answer.content).toMatch(/class="mention hashtag"[^>]*>#<span>Vögel<\/span><\/a>/);
  expect(answer.content).toMatch(/href="https:\/\/example\.com\/Pfad"[^>]*><span class="invisible">https:\/\//);
  expect(answer.content).toContain('example.com/Pfad');
});

test('STA-21: a hostile service brings in no markup, no script and no link (CVE-2023-42452)', async () => {
  await using libre = await startWithLibreTranslate(
    () =>
      '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror=alert(1)> <a href="javascript:alert(1)">a</a> ' +
      '<a href="https://evil.test/" class="mention">pay</a> &lt;script&gt;</p>',
  );
  const id = await post(libre.alice, 'Hallo', { spoiler_text: 'Achtung' });
  const { json: answer } = await translate(libre.alice, id);
  expect(answer.content).toBe('<p>Hi <span>a</span> pay &lt;script&gt;</p>');
  expect(answer.spoiler_text).toBe('Hi a pay <script>');
});

test('STA-21: a link with words of its own is translated and leads where it led', async () => {
  await using libre = await startWithLibreTranslate((text) => text.replace('diese Geschichte', 'this story'));
  const id = await storeRemotePost(
    libre.server,
    '<p>Lies <a href="https://news.test/s">diese Geschichte</a></p>',
    'de',
  );
  const { json: answer } = await translate(libre.alice, id);
  expect(answer.content).toMatch(
    /<a href="https:\/\/news\.test\/s" rel="nofollow noopener" target="_blank">this story<\/a>/,
  );
});

test('STA-21: a service that fails, throttles or has no quota left gives 503 with a reason', async () => {
  await using libre = await startWithLibreTranslate();
  const id = await post(libre.alice, 'Hallo');
  let answer: Awaited<ReturnType<HostHandler>> = json({}, 429);
  await translate(libre.alice, await post(libre.alice, 'Erstes'));
  libre.network.addHost('translate.internal:5000', ({ pathname }) =>
    pathname === '/languages' ? json(libreLanguages) : answer,
  );
  expect(await translate(libre.alice, id)).toMatchObject({
    status: 503,
    json: { error: 'The translation service received too many requests. Try again later' },
  });
  answer = json({}, 403);
  expect(await translate(libre.alice, id)).toMatchObject({
    status: 503,
    json: { error: 'The translation quota of this server is used up. Try again later' },
  });
  for (const odd of [
    json({}, 500),
    json({}),
    json({ translatedText: [] }),
    json([1]),
    { body: Buffer.from('<html>') },
  ]) {
    answer = odd;
    expect(await translate(libre.alice, id)).toMatchObject({
      status: 503,
      json: { error: 'Remote data could not be fetched' },
    });
  }
  libre.network.takeDown('translate.internal:5000');
  expect((await translate(libre.alice, id)).status).toBe(503);
  libre.network.bringUp('translate.internal:5000');
  answer = json({ translatedText: ['<p>Hello</p>'] });
  expect((await translate(libre.alice, id)).json).toMatchObject({
    content: '<p>Hello</p>',
    detected_source_language: 'de',
  });
});

test('STA-21: without a service nothing is translated (404), and the instance says so', async () => {
  const network = new Network();
  await using server = await network.start('a.test');
  const alice = await server.user('alice');
  expect((await translate(alice, await post(alice, 'Hallo'))).status).toBe(404);
  expect((await server.anonymous.get('/api/v1/instance/translation_languages')).json).toEqual({});
  expect((await server.anonymous.get('/api/v2/instance')).json.configuration.translation).toEqual({ enabled: false });
});

test('STA-21: the languages are told to everybody, and the service is not asked for each visitor', async () => {
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

test('STA-21: while the service is down its languages are asked for once a minute, not for each visitor', async () => {
  await using libre = await startWithLibreTranslate();
  libre.network.takeDown('translate.internal:5000');
  for (let visit = 0; visit < 3; visit += 1) {
    expect((await libre.server.anonymous.get('/api/v1/instance/translation_languages')).status).toBe(503);
  }
  expect(libre.network.requests).toHaveLength(1);
});

test('STA-21: DeepL is spoken too, with its own names of languages', async () => {
  const network = new Network();
  const asked: URLSearchParams[] = [];
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
    asked.push(form);
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
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    source_lang: 'DE',
    target_lang: 'PT-BR',
    tag_handling: 'html',
  });
  expect((await translate(alice, id)).json.language).toBe('en');
  expect(asked[1]?.get('target_lang')).toBe('EN-US');
  const unknown = await storeRemotePost(server, '<p>Hm</p>', null);
  expect((await translate(alice, unknown)).json.detected_source_language).toBe('de');
  expect(asked[2]?.has('source_lang')).toBe(false);
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

test('only the address of the translation service is trusted to be private', () => {
  const trusting = globSync('server/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /\btrusted: true\b/.test(readFileSync(file, 'utf8')),
  );
  expect(trusting).toEqual(['server/translation/service.ts']);
});

test('translations that take long for one account delay no other account', async () => {
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
  const answers = ids.map((id) => translate(alice, id));
  await expect.poll(() => waiting).toBe(3);
  expect((await translate(bob, quick)).json.content).toBe('<p>QUICK</p>');
  expect(waiting).toBe(3);
  slow.resolve();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  expect(waiting).toBe(8);
});

test('what a service answers is stored and shown within the bounds of text', async () => {
  await using libre = await startWithLibreTranslate((text) => text.repeat(40_000));
  const id = await post(libre.alice, 'Guten Tag', { spoiler_text: 'Vorsicht' });
  const { status, json: shown } = await translate(libre.alice, id);
  expect(status).toBe(200);
  for (const text of [shown.content, shown.spoiler_text]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
  const { answer } = await libre.server.app.db.selectFrom('translations').select('answer').executeTakeFirstOrThrow();
  for (const text of answer.texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
});
