import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../app.ts';
import { ManualClock } from '../clock.ts';
import { parseConfig } from '../config.ts';
import type { AccountId, RoleId, TokenId, UserId } from '../ids.ts';
import { idSchema } from '../id-schema.ts';
import { MemoryRateLimiter } from '../rate-limits/rate-limiter.ts';
import { ConnectionTakeover } from './connection-takeover.ts';
import { weakEtag } from './etag.ts';
import { HttpResponse, emptyResponse, JsonText, redirect } from './http-response.ts';
import { html } from './html.ts';
import { pageInput, paginated, parsePage } from './pages.ts';
import { fileSchema } from './parse-params.ts';
import { notFound, unauthorized, validationError } from './http-errors.ts';
import { message, verbatim } from '../i18n/message.ts';
import { del, get, patch, post, put, type Caller, type Route } from './routes.ts';
import { createServer } from './create-server.ts';

const viewer = { accountId: '1' as AccountId, userId: '2' as UserId, roleId: '-99' as RoleId, permissions: 0n };
const createCaller = (overrides: Partial<Caller>): Caller => ({
  tokenId: '9' as TokenId,
  applicationId: undefined,
  scopes: new Set(['read']),
  viewer,
  deniedReason: undefined,
  locale: undefined,
  ...overrides,
});
const callers: Record<string, Caller> = {
  user: createCaller({}),
  app: createCaller({ viewer: undefined }),
  writer: createCaller({ scopes: new Set(['write']) }),
  unconfirmed: createCaller({ deniedReason: message('users.unconfirmed') }),
};

function serve(routes: Route[], settings: Record<string, string> = {}): FastifyInstance {
  const dataDir = mkdtempSync(join(tmpdir(), 'ff-http-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const config = parseConfig({ BASE_URL: 'https://a.test', DATA_DIR: dataDir, NODE_ENV: 'test', ...settings });
  const app = {
    config,
    log: pino({ level: 'silent' }),
    rateLimiter: new MemoryRateLimiter(new ManualClock(new Date('2026-01-01T00:01:00Z'))),
  } as unknown as App;
  return createServer(app, {
    routes,
    authenticate: async (_app, token) => {
      if (token === 'revoked') throw unauthorized('oauth.tokenRevoked');
      return callers[token];
    },
    scopeAllows: (granted, needed) => needed.split('|').some((scope) => granted.has(scope)),
    errorPage: async (_app, _request, { status, text }) =>
      new HttpResponse({
        headers: { 'content-type': 'text/html; charset=utf-8' },
        text: html`<h1>${status} ${String(text)}</h1>`.text,
      }),
  });
}

const echo = Type.Object({
  text: Type.Optional(Type.String()),
  list: Type.Optional(Type.Array(Type.String())),
  on: Type.Optional(Type.Boolean()),
});
const echoRoute = post('/api/echo', {
  summary: 'Echo',
  access: 'anyone',
  input: echo,
  response: echo,
  handle: ({ input }) => input,
});

test('parameters mean the same in the query, forms, multipart and JSON (clients.md 17, 18)', async () => {
  const http = serve([echoRoute]);
  const expected = { text: 'é', list: ['a', 'b'], on: true };
  const form = 'text=%C3%A9&list[]=a&list[]=b&on=1';
  const multipart = new Response(
    Object.entries({ text: 'é', 'list[]': 'a', on: '1' }).reduce((data, [name, value]) => {
      data.append(name, value);
      if (name === 'list[]') data.append(name, 'b');
      return data;
    }, new FormData()),
  );
  const responses = [
    await http.inject({ method: 'POST', url: `/api/echo?${form}` }),
    await http.inject({
      method: 'POST',
      url: '/api/echo',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: form,
    }),
    await http.inject({
      method: 'POST',
      url: '/api/echo',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      payload: JSON.stringify({ ...expected, gone: null }),
    }),
    await http.inject({
      method: 'POST',
      url: '/api/echo',
      headers: { 'content-type': multipart.headers.get('content-type') ?? '' },
      payload: Buffer.from(await multipart.arrayBuffer()),
    }),
  ];
  for (const response of responses) expect(response.json()).toEqual(expected);
});

test('ids sent as JSON numbers keep every digit (Mastodon.py sends numbers)', async () => {
  const http = serve([echoRoute]);
  const response = await http.inject({
    method: 'POST',
    url: '/api/echo',
    headers: { 'content-type': 'application/json' },
    payload: '{"text":117655625095411273,"list":[117655625095411271,12,"9007199254740993.0"],"on":1}',
  });
  expect(response.json()).toEqual({
    text: '117655625095411273',
    list: ['117655625095411271', '12', '9007199254740993.0'],
    on: true,
  });
});

test('a GET may have its parameters in a JSON body (Mastodon.py requests familiar followers that way)', async () => {
  const http = serve([{ ...echoRoute, method: 'GET' }]);
  const send = (payload: string, url = '/api/echo') =>
    http.inject({ method: 'GET', url, headers: { 'content-type': 'application/json' }, payload });
  expect((await send('{"list":[117655625095411271]}', '/api/echo?text=x')).json()).toEqual({
    text: 'x',
    list: ['117655625095411271'],
  });
  expect((await send('')).json()).toEqual({});
  expect((await send('{')).statusCode).toBe(400);
  expect((await send(JSON.stringify({ text: 'x'.repeat(1_100_000) }))).statusCode).toBe(413);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await http.inject({ method: 'GET', url: '/api/echo', headers: form, payload: 'text=y' });
  expect(response.json()).toEqual({ text: 'y' });
});

test('an empty JSON body has no parameters; an invalid one is rejected (400)', async () => {
  const http = serve([echoRoute]);
  const headers = { 'content-type': 'application/json' };
  expect((await http.inject({ method: 'POST', url: '/api/echo', headers })).json()).toEqual({});
  for (const payload of ['{', '[]', '7']) {
    const response = await http.inject({ method: 'POST', url: '/api/echo', headers, payload });
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ['error']]);
  }
});

test('a body beyond the limit is 413, in any encoding', async () => {
  const http = serve([echoRoute]);
  const payload = JSON.stringify({ text: 'x'.repeat(1_100_000) });
  const response = await http.inject({
    method: 'POST',
    url: '/api/echo',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  expect(response.statusCode).toBe(413);
});

test('files are accepted as multipart and data URIs, and deleted after the response', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ff-files-'));
  const route = post('/api/file', {
    summary: 'A file',
    access: 'anyone',
    input: Type.Object({ file: fileSchema() }),
    response: Type.Object({ body: Type.String(), size: Type.Integer() }),
    handle: ({ input }) => ({ body: readFileSync(input.file.path, 'utf8'), size: input.file.size }),
  });
  const http = serve([route], { DATA_DIR: dataDir });
  const data = new FormData();
  data.append('file', new Blob(['hello']), 'a.txt');
  const body = new Response(data);
  const multipart = await http.inject({
    method: 'POST',
    url: '/api/file',
    headers: { 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  expect(multipart.json()).toEqual({ body: 'hello', size: 5 });
  const json = await http.inject({
    method: 'POST',
    url: '/api/file',
    payload: { file: 'data:text/plain;base64,aGVsbG8=' },
  });
  expect(json.json()).toEqual({ body: 'hello', size: 5 });
  expect((await http.inject({ method: 'POST', url: '/api/file', payload: { file: 'hello' } })).statusCode).toBe(422);
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([]);
});

test('access: no token, an unknown one, the wrong scope, an app, an unconfirmed user (reference/endpoints.tsv)', async () => {
  const http = serve([
    get('/api/user', {
      summary: 'U',
      access: 'user',
      scope: 'read|read:x',
      response: Type.Object({}),
      handle: () => ({}),
    }),
    get('/api/optional', {
      summary: 'O',
      access: 'anyone',
      scope: 'read',
      response: Type.Object({ tokenId: Type.Optional(Type.String()) }),
      handle: ({ caller }) => (caller === undefined ? {} : { tokenId: caller.tokenId }),
    }),
    get('/api/anyone', {
      summary: 'A',
      access: 'anyone',
      response: Type.Object({ tokenId: Type.Optional(Type.String()) }),
      handle: ({ caller }) => (caller === undefined ? {} : { tokenId: caller.tokenId }),
    }),
  ]);
  const call = async (url: string, token?: string): Promise<[number, string]> => {
    const response = await http.inject({
      url,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    const { error, tokenId } = response.json() as { error?: string; tokenId?: string };
    return [response.statusCode, error ?? tokenId ?? ''];
  };
  expect(await call('/api/user')).toEqual([401, 'The access token is invalid']);
  expect(await call('/api/user', 'nobody')).toEqual([401, 'The access token is invalid']);
  expect(await call('/api/user', 'writer')).toEqual([403, 'This action is outside the authorized scopes']);
  expect(await call('/api/user', 'app')).toEqual([422, 'This method requires an authenticated user']);
  expect(await call('/api/user', 'unconfirmed')).toEqual([403, 'Your login is missing a confirmed e-mail address']);
  expect(await call('/api/user', 'user')).toEqual([200, '']);
  for (const url of ['/api/optional', '/api/anyone']) {
    expect(await call(url)).toEqual([200, '']);
    expect(await call(url, 'nobody')).toEqual([200, '']);
    expect(await call(url, 'revoked')).toEqual([200, '']);
    expect(await call(url, 'user')).toEqual([200, '9']);
  }
  expect(await call('/api/optional', 'writer')).toEqual([403, 'This action is outside the authorized scopes']);
  expect(await call('/api/optional', 'unconfirmed')).toEqual([403, 'Your login is missing a confirmed e-mail address']);
  expect(await call('/api/anyone', 'writer')).toEqual([200, '9']);
  expect(await call('/api/anyone', 'unconfirmed')).toEqual([200, '']);
  expect(await call('/api/user', 'revoked')).toEqual([401, 'The access token was revoked']);
  expect((await http.inject('/api/user?access_token=user')).statusCode).toBe(200);
});

test('a token may be sent in a urlencoded body (RFC 6750), but not in the body of a GET', async () => {
  const shape = Type.Object({ text: Type.Optional(Type.String()) });
  const route = { summary: 'U', access: 'user', input: shape, response: shape } as const;
  const http = serve([
    post('/api/form', { ...route, handle: ({ input }) => input }),
    get('/api/form', { ...route, handle: ({ input }) => input }),
  ]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const payload = 'text=x&access_token=user';
  const posted = await http.inject({ method: 'POST', url: '/api/form', headers, payload });
  expect([posted.statusCode, posted.json()]).toEqual([200, { text: 'x' }]);
  const unknown = await http.inject({ method: 'POST', url: '/api/form', headers, payload: 'access_token=nobody' });
  expect(unknown.statusCode).toBe(401);
  expect((await http.inject({ method: 'GET', url: '/api/form', headers, payload })).statusCode).toBe(401);
  const both = { ...headers, authorization: 'Basic eDp5' };
  expect((await http.inject({ method: 'POST', url: '/api/form', headers: both, payload })).statusCode).toBe(200);
});

test('unknown tokens count against the limit of their address, however it is written', async () => {
  const http = serve([
    get('/api/any', { summary: 'A', access: 'anyone', response: Type.Object({}), handle: () => ({}) }),
    get('/api/user', { summary: 'U', access: 'user', response: Type.Object({}), handle: () => ({}) }),
  ]);
  const remaining = async (url: string, token: string, remoteAddress: string): Promise<unknown> =>
    (await http.inject({ url, headers: { authorization: `Bearer ${token}` }, remoteAddress })).headers[
      'x-ratelimit-remaining'
    ];
  expect(await remaining('/api/user', 'nobody', '2001:db8::1')).toBe('299');
  expect(await remaining('/api/user', 'another', '2001:DB8:0:0:a::')).toBe('298');
  expect(await remaining('/api/any', 'revoked', '2001:db8:0::b%eth0')).toBe('297');
  expect(await remaining('/api/any', 'user', '2001:db8::1')).toBe('299');
  expect(await remaining('/api/any', 'x', '::ffff:192.0.2.1')).toBe('299');
  expect(await remaining('/api/any', 'y', '192.0.2.1')).toBe('298');
});

test('every response of a server with an https address lets browsers use only https for this host', async () => {
  const shared = { summary: 'A', access: 'anyone', response: Type.Any() } as const;
  const etag = weakEtag('{}');
  const routes = [
    get('/api/any', { ...shared, hasEtag: true, handle: () => ({}) }),
    get('/api/user', { ...shared, access: 'user', handle: () => ({}) }),
    get('/api/bug', { ...shared, handle: () => Promise.reject(new Error('x')) }),
    get('/api/empty', { ...shared, handle: () => emptyResponse(204) }),
    get('/moved', { ...shared, access: 'page', handle: () => redirect('/api/any') }),
    get('/elsewhere', { ...shared, access: 'page', redirect: () => redirect('https://b.test/'), handle: () => ({}) }),
    get('/file', { ...shared, handle: () => new HttpResponse({ text: Readable.from(['x']) }) }),
    get('/api/events', {
      ...shared,
      handle: () => new ConnectionTakeover(({ response, headers }) => response.writeHead(200, headers).end('x')),
    }),
  ];
  const requests = [
    { url: '/api/any', status: 200 },
    { url: '/api/any', status: 304, headers: { 'if-none-match': etag } },
    { url: '/api/any', status: 200, method: 'OPTIONS' },
    { url: '/api/any', status: 404, method: 'PROPFIND' },
    { url: '/api/user', status: 401 },
    { url: '/api/bug', status: 500, headers: { accept: 'text/html' } },
    { url: '/bug', status: 404, headers: { accept: 'text/html' } },
    { url: '/api/empty', status: 204 },
    { url: '/moved', status: 302 },
    { url: '/elsewhere', status: 302 },
    { url: '/file', status: 200 },
    { url: '/api/events', status: 200 },
    { url: '/%zz', status: 400 },
  ] as const;
  const read = async (http: FastifyInstance): Promise<unknown[]> =>
    Promise.all(
      requests.map(async ({ status: _status, ...request }) => {
        const { statusCode, headers } = await http.inject(request as InjectOptions);
        return [request.url, statusCode, headers['strict-transport-security']];
      }),
    );
  const withHeader = (header: string | undefined) => requests.map(({ url, status }) => [url, status, header]);
  expect(await read(serve(routes))).toEqual(withHeader('max-age=31536000'));
  expect(await read(serve(routes, { BASE_URL: 'http://localhost:3000' }))).toEqual(withHeader(undefined));
});

test('HTML always has a content security policy and cannot be framed, even in errors and empty responses', async () => {
  const page = { summary: 'P', access: 'page', response: Type.Any() } as const;
  const type = { 'content-type': 'text/html; charset=utf-8' };
  const customPolicy = "default-src 'self'; frame-ancestors *";
  const http = serve([
    get('/plain', { ...page, handle: () => new HttpResponse({ text: '<p>', headers: type }) }),
    get('/own', {
      ...page,
      handle: () => new HttpResponse({ text: '<p>', headers: { ...type, 'content-security-policy': customPolicy } }),
    }),
    get('/bug', { ...page, handle: () => Promise.reject(new Error('x')) }),
    get('/api/empty', { ...page, access: 'anyone', handle: () => emptyResponse(202) }),
  ]);
  for (const url of ['/plain', '/bug', '/unknown', '/%zz', '/api/empty']) {
    const { headers } = await http.inject({ url, headers: { accept: 'text/html' } });
    expect(headers['content-type'], url).toContain('text/html');
    expect(headers['content-security-policy'], url).toContain("default-src 'none'");
    expect([headers['x-frame-options'], headers['x-content-type-options']], url).toEqual(['DENY', 'nosniff']);
  }
  const { headers } = await http.inject('/own');
  expect([headers['content-security-policy'], headers['x-frame-options']]).toEqual([customPolicy, undefined]);
  expect((await http.inject('/api/%zz')).json()).toEqual({ error: expect.any(String) });
});

test('errors, bugs and unknown paths have their formats; browsers get a page outside /api', async () => {
  const http = serve(
    [
      get('/api/none', {
        summary: 'N',
        access: 'anyone',
        response: Type.Object({}),
        handle: () => Promise.reject(notFound()),
      }),
      get('/api/bad', {
        summary: 'B',
        access: 'anyone',
        response: Type.Object({}),
        handle: () => Promise.reject(validationError(verbatim('Text is too long'), { details: { a: 1 } })),
      }),
      get('/api/bug', {
        summary: 'X',
        access: 'anyone',
        response: Type.Object({}),
        handle: () => Promise.reject(new Error('secret')),
      }),
    ],
    { NODE_ENV: 'production' },
  );
  expect((await http.inject('/api/none')).json()).toEqual({ error: 'Record not found' });
  expect((await http.inject('/api/bad')).json()).toEqual({
    error: 'Validation failed: Text is too long',
    details: { a: 1 },
  });
  const bug = await http.inject('/api/bug');
  expect([bug.statusCode, bug.payload.includes('secret')]).toEqual([500, false]);
  const unknown = await http.inject({ url: '/api/v1/unknown', headers: { accept: 'text/html' } });
  expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: 'Not Found' }]);
  const page = await http.inject({ url: '/unknown', headers: { accept: 'text/html' } });
  expect([page.statusCode, page.payload]).toEqual([404, '<h1>404 Not Found</h1>']);
});

test('a response that does not match its schema fails in tests', async () => {
  const http = serve([
    get('/api/wrong', {
      summary: 'W',
      access: 'anyone',
      response: Type.Object({ id: idSchema<'x'>() }),
      handle: () => new JsonText<{ id: never }>('{"id":7}'),
    }),
  ]);
  expect((await http.inject('/api/wrong')).statusCode).toBe(500);
});

test('every response has CORS headers, including errors and preflights (clients.md 37)', async () => {
  const http = serve([echoRoute]);
  for (const response of [
    await http.inject({ method: 'POST', url: '/api/echo' }),
    await http.inject('/api/unknown'),
    await http.inject({
      method: 'OPTIONS',
      url: '/api/v1/statuses',
      headers: { 'access-control-request-headers': 'authorization' },
    }),
  ]) {
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-expose-headers']).toContain('Link');
  }
});

test('rate limits: headers in every response, the reset as ISO time, 429 when exceeded (clients.md 29)', async () => {
  const http = serve([
    post('/api/apps', {
      summary: 'A',
      access: 'anyone',
      rateLimit: 'apps',
      response: Type.Object({}),
      handle: () => ({}),
    }),
  ]);
  const responses = [];
  for (let i = 0; i < 6; i += 1) responses.push(await http.inject({ method: 'POST', url: '/api/apps' }));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(responses[0]?.headers['x-ratelimit-limit']).toBe('5');
  expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '3', '2', '1', '0', '0']);
  expect(responses[5]?.headers['x-ratelimit-reset']).toBe('2026-01-01T00:10:00.000000Z');
  const other = await http.inject({ method: 'POST', url: '/api/apps', remoteAddress: '203.0.113.9' });
  expect(other.statusCode).toBe(200);
});

test('a forged X-Forwarded-For is ignored unless the proxy is trusted', async () => {
  const route = get('/api/ip', {
    summary: 'I',
    access: 'anyone',
    response: Type.String(),
    handle: ({ request }) => new JsonText<string>(JSON.stringify(request.ip)),
  });
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  const http = serve([route]);
  expect((await http.inject({ url: '/api/ip', headers, remoteAddress: '203.0.113.9' })).json()).toBe('203.0.113.9');
  expect((await http.inject({ url: '/api/ip', headers, remoteAddress: '127.0.0.1' })).json()).toBe('198.51.100.1');
});

test('a PUT route accepts PATCH too, unless it is limited to one method', async () => {
  const one = { summary: 'O', access: 'anyone', response: Type.Object({}), handle: () => ({}) } as const;
  const http = serve([put('/api/a', one), patch('/api/b', { ...one, singleMethod: true }), del('/api/a', one)]);
  expect((await http.inject({ method: 'PATCH', url: '/api/a' })).statusCode).toBe(200);
  expect((await http.inject({ method: 'PUT', url: '/api/b' })).statusCode).toBe(404);
});

test('PAG-03, PAG-06: links are absolute, keep other parameters, and limits are clamped', async () => {
  const limits = { defaultLimit: 20, maxLimit: 40 };
  const http = serve([
    get('/api/list', {
      summary: 'L',
      access: 'anyone',
      input: Type.Object({
        ...pageInput(limits),
        local: Type.Optional(Type.Boolean()),
        empty: Type.Optional(Type.Boolean()),
      }),
      response: Type.Array(Type.Integer()),
      handle: ({ app, input, request }) =>
        paginated(app, request, {
          json: input.empty === true ? [] : [parsePage(input, limits).limit],
          first: '9',
          last: '3',
          more: input.local !== true,
        }),
    }),
  ]);
  const response = await http.inject('/api/list?limit=5&types[]=a,b&max_id=77&local=0');
  expect(response.headers['link']).toBe(
    '<https://a.test/api/list?limit=5&types[]=a%2Cb&local=0&max_id=3>; rel="next", <https://a.test/api/list?limit=5&types[]=a%2Cb&local=0&min_id=9>; rel="prev"',
  );
  expect((await http.inject('/api/list?local=1')).headers['link']).not.toContain('next');
  expect((await http.inject('/api/list?empty=1')).headers['link']).toContain('next');
  expect((await http.inject('/api/list?empty=1&local=1')).headers).not.toHaveProperty('link');
  const limitOf = async (limit: string): Promise<unknown> =>
    ((await http.inject(`/api/list?limit=${limit}`)).json() as unknown[])[0];
  expect(await limitOf('100')).toBe(40);
  expect(await limitOf('0')).toBe(0);
  expect(await limitOf('-5')).toBe(5);
  expect(await limitOf('-100')).toBe(40);
  for (const limit of ['x', '']) expect(await limitOf(limit)).toBe(20);
  expect((await http.inject('/api/list?max_id=abc')).statusCode).toBe(404);
});

test.each([2_000, 5_000])(
  'text of %i characters is compressed for clients that accept it, and responses have a request id',
  async (length) => {
    const text = JSON.stringify('x'.repeat(length));
    const http = serve([
      get('/api/long', {
        summary: 'L',
        access: 'anyone',
        response: Type.String(),
        handle: () => new JsonText<string>(text),
      }),
    ]);
    const response = await http.inject({ url: '/api/long', headers: { 'accept-encoding': 'gzip, br' } });
    expect(gunzipSync(response.rawPayload).toString()).toBe(text);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await http.inject('/api/long')).payload).toBe(text);
  },
);

test.each([
  ['gzip', true],
  ['GZIP', true],
  ['br, gzip;q=0.5', true],
  ['identity, gzip;q=0.5', true],
  ['*', true],
  ['gzip;q=0, br', false],
  ['deflate, br', false],
  ['', false],
])('Accept-Encoding %s: compressed is %s', async (accepted, expected) => {
  const http = serve([
    get('/api/long', {
      summary: 'Long',
      access: 'anyone',
      response: Type.Any(),
      handle: () => new JsonText<string>(JSON.stringify('é'.repeat(3000))),
    }),
  ]);
  const response = await http.inject({ url: '/api/long', headers: { 'accept-encoding': accepted } });
  expect(response.headers['content-encoding'] === 'gzip').toBe(expected);
});

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['text/html, application/json;q=0.5', true],
  ['application/json, text/html;q=0.5', false],
  ['application/json;q=0.5, text/html', true],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
])('Accept %s: an error outside /api is a page: %s', async (accept, expected) => {
  const response = await serve([]).inject({ url: '/nowhere', headers: accept === undefined ? {} : { accept } });
  expect(String(response.headers['content-type']).startsWith('text/html')).toBe(expected);
});

test.each([
  ['a=1; b=2', '1'],
  ['b=2;a=1', '1'],
  ['a=1; a=2', '1'],
  ['a=x=y==', 'x=y=='],
  [' a = 1 ', '1'],
  ['a="quoted"', '"quoted"'],
  ['a=', ''],
  ['=1; a; ;; a=2', '2'],
  ['a=%zz', '%zz'],
  ['__proto__=1; a=2', '2'],
  ['A=1', undefined],
  ['a', undefined],
  ['', undefined],
  [undefined, undefined],
])('Cookie %s: a is %s', async (cookie, expected) => {
  const http = serve([
    get('/api/page', {
      summary: 'P',
      access: 'page',
      response: Type.Any(),
      handle: ({ request }) =>
        new HttpResponse({
          text: JSON.stringify([request.cookies['a'] ?? null]),
          headers: { 'content-type': 'text/plain' },
        }),
    }),
  ]);
  const response = await http.inject({ url: '/api/page', headers: cookie === undefined ? {} : { cookie } });
  expect(JSON.parse(response.payload)).toEqual([expected ?? null]);
});

test('a handler may return any status, headers and body', async () => {
  const http = serve([
    get('/api/page', {
      summary: 'P',
      access: 'page',
      response: Type.Any(),
      handle: ({ request }) =>
        new HttpResponse({
          status: 202,
          text: `hi ${request.cookies['a']}`,
          headers: { 'content-type': 'text/plain' },
        }),
    }),
  ]);
  const response = await http.inject({ url: '/api/page', headers: { cookie: 'a=1; b=2' } });
  expect([response.statusCode, response.payload]).toEqual([202, 'hi 1']);
});

test('requests find their route by method and path: with a slash at the end, as HEAD, encoded, long or malformed', async () => {
  const params = Type.Object({ id: Type.String() });
  const common = { summary: 'Echo', access: 'anyone', response: Type.String() } as const;
  const item = get('/api/items/:id', { ...common, params, handle: ({ params: { id } }) => id });
  const feed = get('/@:id.rss', { ...common, params, handle: ({ params: { id } }) => id });
  const http = serve([item, feed, put('/api/items/:id', { ...common, params, handle: () => 'changed' })]);
  const send = async (method: 'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'TRACE', url: string) => {
    const { statusCode, body } = await http.inject({ method, url });
    return statusCode === 200 ? body : statusCode;
  };
  expect(await send('GET', '/api/items/1')).toBe('"1"');
  expect(await send('GET', '/api/items/1/')).toBe('"1"');
  expect(await send('HEAD', '/api/items/1')).toBe('');
  expect(await send('GET', '/api/items/a%2Fb?c=%zz')).toBe('"a/b"');
  expect(await send('GET', '/@a.b.rss')).toBe('"a.b"');
  expect(await send('PATCH', '/api/items/1')).toBe('"changed"');
  expect(await send('OPTIONS', '/api/items/1')).toBe('');
  expect(await send('GET', `/api/items/${'a'.repeat(2_048)}`)).toBe(`"${'a'.repeat(2_048)}"`);
  expect(await send('GET', `/api/items/${'a'.repeat(2_049)}`)).toBe(404);
  for (const method of ['DELETE', 'TRACE'] as const) expect(await send(method, '/api/items/1')).toBe(404);
  for (const url of ['/api/Items/1', '/api', '/none']) expect(await send('GET', url)).toBe(404);
  for (const url of ['/api/items/%zz', '/none/%zz']) expect(await send('GET', url)).toBe(400);
});
