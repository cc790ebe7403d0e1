import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { addMethodAliases } from '../../../server/platform/http/method-aliases.ts';
import { startServer, type TestServer } from '../../server.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: Record<string, string[]>[];
  readonly parameters: { name: string; in: string }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<
    string,
    { description?: string; headers?: object; content?: Record<string, { schema?: object }>; $ref?: string }
  >;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, Record<string, unknown>>>;
}

async function loadDocument(server: TestServer): Promise<{ document: Document; text: string }> {
  const { text } = await server.anonymous.get('/api/openapi.json');
  return { document: JSON.parse(text) as Document, text };
}

const documentedRoutes = routes.filter(({ options }) => options.undocumented !== true);
const operationsOf = ({ paths }: Document): Operation[] => Object.values(paths).flatMap((path) => Object.values(path));

test('the OpenAPI document lists every operation of the client API with its parameters and scopes', async () => {
  await using server = await startServer();
  const { document } = await loadDocument(server);
  expect(document.openapi).toBe('3.1.0');
  expect(documentedRoutes.length).toBeGreaterThan(60);
  for (const { method, path, options } of documentedRoutes) {
    const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(operation?.summary, `${method} ${path}`).toBe(options.summary);
  }
  const home = document.paths['/api/v1/timelines/home']?.['get'];
  expect(home?.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['max_id', 'since_id', 'min_id', 'limit']),
  );
  expect(home?.security).toEqual([{ oauth2: ['read'] }, { oauth2: ['read:statuses'] }]);
  const account = document.paths['/api/v1/accounts/{id}']?.['get'];
  expect(account?.security).toEqual([{}, { oauth2: ['read'] }, { oauth2: ['read:accounts'] }]);
  const post = document.paths['/api/v1/statuses']?.['post'];
  expect(Object.keys(post?.requestBody?.content ?? {})).toContain('multipart/form-data');
});

test('the OpenAPI document is valid, and describes every response and every second method of a route', async () => {
  await using server = await startServer();
  const { document } = await loadDocument(server);
  const { valid, errors } = await new Validator().validate({ ...document });
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  for (const route of addMethodAliases(documentedRoutes)) {
    const operation = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    expect(operation, `${route.method} ${route.path}`).toBeDefined();
  }
  const vague = operationsOf(document).flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).some(({ schema }) => Object.keys(schema ?? {}).length === 0)
        ? [`${operationId} ${status}`]
        : [],
    ),
  );
  expect(vague).toEqual([]);
});

test('each operation has a unique id, derived from its method and path', async () => {
  await using server = await startServer();
  const { document } = await loadDocument(server);
  const ids = operationsOf(document).map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  expect(document.paths['/api/v1/statuses/{id}/context']?.['get']?.operationId).toBe('getStatusesByIdContext');
  expect(document.paths['/api/v2/media']?.['post']?.operationId).toBe('postMediaV2');
});

test('each entity is described once, and every reference resolves', async () => {
  await using server = await startServer();
  const { document, text } = await loadDocument(server);
  // With 579 operations it has 1,001,000 characters.
  expect(text.length).toBeLessThan(1_100_000);
  const { schemas = {} } = document.components;
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Account', 'CredentialAccount', 'Error', 'Notification', 'Poll', 'Status', 'Token']),
  );
  const references = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, ...way]) => way));
  expect(references.size).toBeGreaterThan(100);
  for (const [kind = '', name = ''] of references) expect(document.components[kind], name).toHaveProperty([name]);
  // Account is described by itself and as the target of a move.
  expect(text.match(/"avatar_static":\{/g)?.length).toBeLessThanOrEqual(4);
  expect(document.paths['/api/v1/accounts/{id}']?.['get']?.responses['200']?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Account' } },
  });
  expect(text).not.toMatch(/"x-(?:id|file)"/);
});

test('responses are described with their headers and all their status codes', async () => {
  await using server = await startServer();
  const { document } = await loadDocument(server);
  const at = (method: string, path: string) => document.paths[path]?.[method]?.responses ?? {};
  expect(Object.keys(at('get', '/api/v1/timelines/home')['200']?.headers ?? {})).toEqual(
    expect.arrayContaining(['Link', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
  );
  expect(at('get', '/api/v1/accounts/{id}')['200']?.headers).not.toHaveProperty('Link');
  expect(at('post', '/api/v2/media')).toHaveProperty('202');
  for (const method of ['get', 'put']) expect(at(method, '/api/v1/media/{id}')).toHaveProperty('206');
  expect(at('post', '/api/v1/media')['200']?.headers).toHaveProperty('Deprecation');
  for (const operation of operationsOf(document)) {
    const failures = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
    expect(failures.length, operation.operationId).toBeGreaterThan(0);
  }
});

test('the OAuth routes are documented: authorization, token, revocation, user info, metadata and scopes', async () => {
  await using server = await startServer();
  const { document } = await loadDocument(server);
  const { paths, components } = document;
  for (const [method, path] of [
    ['get', '/oauth/authorize'],
    ['post', '/oauth/authorize'],
    ['post', '/oauth/token'],
    ['post', '/oauth/revoke'],
    ['get', '/oauth/userinfo'],
    ['get', '/.well-known/oauth-authorization-server'],
  ] as const) {
    expect(paths[path], path).toHaveProperty(method);
  }
  expect(paths['/oauth/authorize']?.['get']?.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge']),
  );
  expect(paths['/oauth/token']?.['post']?.responses['400']).toEqual({ $ref: '#/components/responses/OAuthBadRequest' });
  expect(components['securitySchemes']?.['oauth2']).toMatchObject({
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://fieldfare.test/oauth/authorize',
        tokenUrl: 'https://fieldfare.test/oauth/token',
        scopes: { 'read:statuses': expect.any(String) },
      },
    },
  });
});

test('each server documents its own address', async () => {
  for (const domain of ['one.test', 'two.test']) {
    await using server = await startServer({ domain });
    expect(JSON.parse((await loadDocument(server)).text)).toMatchObject({ servers: [{ url: `https://${domain}` }] });
  }
});

test('the page with the API documentation runs no script except its own', async () => {
  await using server = await startServer();
  const page = await server.anonymous.get('/api/docs');
  expect(page.headers['content-type']).toContain('text/html');
  for (const { path } of documentedRoutes) expect(page.text).toContain(`data-path="${path}"`);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page.text).not.toMatch(/<style| style=| on[a-z]+="/i);
  expect(page.text.match(/<script[^>]*>[^<]*/g)).toEqual(['<script src="/api/docs/explorer.js" defer>']);
  // The search and token fields do nothing without the script, which shows them.
  expect(page.text).toMatch(/id="tools" hidden/);
  for (const [name, type] of [
    ['explorer.js', 'text/javascript'],
    ['explorer.css', 'text/css'],
  ]) {
    const part = await server.anonymous.get(`/api/docs/${name}`);
    expect([part.status, String(part.headers['content-type']).split(';')[0]]).toEqual([200, type]);
    expect(part.headers['x-content-type-options']).toBe('nosniff');
  }
  const script = (await server.anonymous.get('/api/docs/explorer.js')).text;
  expect(script).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|innerHTML|https?:\/\//);
});

test('health checks report that the process runs, and whether it can serve requests', async () => {
  await using server = await startServer();
  expect((await server.anonymous.get('/health')).text).toBe('OK');
  expect(await server.anonymous.get('/health/ready')).toMatchObject({ status: 200, text: 'OK' });
  await server.app.pool.end();
  server.expectNoDatabase();
  expect((await server.anonymous.get('/health/ready')).status).toBe(503);
});
