import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { recordRoutes } from '../record-routes.ts';
import {
  nameOf,
  uncoveredRoutes,
  type DeclaredRoute,
  type RecordedResponse,
  type RegisteredRoute,
} from '../route-coverage.ts';

const route = (name: string, access = 'anyone'): DeclaredRoute => {
  const [method = '', path = ''] = name.split(' ');
  return { method, path, access };
};

/** A response of the route with this name. */
const response = (name: string, status: number, more: Partial<RecordedResponse> = {}): RecordedResponse => ({
  ...route(name),
  caller: 'anonymous',
  status,
  ...more,
});

/** Compares a list of registered routes with their recorded responses. */
const compare = (declared: readonly DeclaredRoute[], responses: readonly RecordedResponse[]): string[] =>
  uncoveredRoutes({ declared, registered: declared, responses });

const planted = route('DELETE /api/v1/planted/:id');

test('a planted DELETE route without a test is reported', () => {
  expect(compare([planted], [])).toEqual(['DELETE /api/v1/planted/:id: no test reaches it']);
  expect(compare([planted], [response('DELETE /api/v1/planted/:id', 200)])).toEqual([]);
});

test('neither another method of the same path nor another parameter name covers a route', () => {
  const responses = ['GET /api/v1/planted/:id', 'DELETE /api/v1/planted/:account_id', 'DELETE /api/v1/planted'];
  expect(
    compare(
      [planted],
      responses.map((name) => response(name, 200)),
    ),
  ).toEqual(['DELETE /api/v1/planted/:id: no test reaches it']);
});

test('refusals, missing rows and failures do not cover a route', () => {
  const responses = [400, 401, 403, 404, 410, 422, 429, 500, 503].map((status) => response(nameOf(planted), status));
  expect(compare([planted], responses)).toEqual([
    'DELETE /api/v1/planted/:id: no test gets a success from it, only 400, 401, 403, 404, 410, 422, 429, 500, 503',
  ]);
  const toSignIn = response(nameOf(planted), 302, { toSignIn: true });
  expect(compare([planted], [toSignIn])).toEqual([
    'DELETE /api/v1/planted/:id: no test gets a success from it, only 302',
  ]);
  expect(compare([planted], [response(nameOf(planted), 302)])).toEqual([]);
});

test('a route that needs a token also needs a refusal', () => {
  for (const access of ['user', 'app', 'staff:manage_users']) {
    const own = { ...planted, access };
    const success = response(nameOf(planted), 200, { caller: 'authenticated' });
    expect(compare([own], [success])).toEqual([
      'DELETE /api/v1/planted/:id: needs a token, and no test is refused with 401 or 403',
    ]);
    for (const status of [401, 403]) expect(compare([own], [success, response(nameOf(planted), status)])).toEqual([]);
  }
});

test('a route that a plugin registers outside the list of routes is reported', () => {
  const registered: RegisteredRoute[] = [planted];
  expect(uncoveredRoutes({ declared: [], registered, responses: [] })).toEqual([
    'DELETE /api/v1/planted/:id: no test reaches it',
  ]);
});

test('PUT or PATCH aliases need no test, other methods do', () => {
  const [get, put] = [route('GET /a'), route('PUT /b')];
  const registered = [get, put, route('PATCH /b')];
  const responses = [response('GET /a', 200), response('PATCH /b', 200)];
  expect(uncoveredRoutes({ declared: [get, put], registered, responses })).toEqual([]);
  const alone = [...registered, route('HEAD /c'), route('OPTIONS /c'), route('PATCH /d')];
  expect(uncoveredRoutes({ declared: [get, put], registered: alone, responses })).toEqual(
    ['HEAD /c', 'OPTIONS /c', 'PATCH /d'].map((name) => `${name}: no test reaches it`),
  );
  const exact = { ...put, exactMethod: true };
  expect(uncoveredRoutes({ declared: [get, exact], registered, responses })).toEqual(['PUT /b: no test reaches it']);
  // A HEAD request does not count as a test of GET.
  expect(compare([get], [response('HEAD /a', 200)])).toEqual(['GET /a: no test reaches it']);
});

test('a route may be exempt while it only refuses requests', () => {
  const records = (statuses: readonly number[]) => ({
    declared: [planted],
    registered: [planted],
    responses: statuses.map((status) => response(nameOf(planted), status)),
  });
  const excuse = { [nameOf(planted)]: 'is gone' };
  expect(uncoveredRoutes(records([410]), excuse)).toEqual([]);
  expect(uncoveredRoutes(records([]), excuse)).toEqual(['DELETE /api/v1/planted/:id: no test reaches it']);
  expect(uncoveredRoutes(records([410, 200]), excuse)).toEqual([
    'DELETE /api/v1/planted/:id: succeeds, so it must not be listed as a route that only refuses',
  ]);
  expect(uncoveredRoutes({ declared: [], registered: [], responses: [] }, excuse)).toEqual([
    'DELETE /api/v1/planted/:id: is listed as a route that only refuses, but is not registered',
  ]);
});

/** A recorded server and its records. */
function recorded(build: (http: FastifyInstance) => void, sweep = false) {
  const registered: RegisteredRoute[] = [];
  const responses: RecordedResponse[] = [];
  const http = recordRoutes(
    () => {
      const instance = Fastify();
      build(instance);
      return instance;
    },
    {
      declared: [],
      sweep,
      store: (item) => {
        if (item.registered !== undefined) registered.push(item.registered);
        if (item.responses !== undefined) responses.push(item.responses);
      },
    },
  );
  return { http, report: () => uncoveredRoutes({ declared: [], registered, responses }) };
}

const addPlanted = (http: FastifyInstance): void => void http.delete('/planted/:id', async () => ({}));

test('a running server records each route that it or a plugin registers, and each response of a handler', async () => {
  const { http, report } = recorded((instance) => {
    instance.get('/listed/:id', async () => ({}));
    void instance.register(async (plugin) => addPlanted(plugin), { prefix: '/api' });
  });
  for (const url of ['/listed/1', '/listed/2?x=1']) expect((await http.inject({ url })).statusCode).toBe(200);
  expect(report()).toEqual(['DELETE /api/planted/:id: no test reaches it']);
  expect((await http.inject({ method: 'DELETE', url: '/api/planted/1' })).statusCode).toBe(200);
  expect(report()).toEqual([]);
});

test('a request that does not reach the handler covers nothing', async () => {
  const { http, report } = recorded((instance) => {
    addPlanted(instance);
    instance.addHook('onRequest', (request, reply, done) => {
      if (request.headers['x-stop'] === undefined) done();
      else void reply.code(503).send();
    });
    // As a browser gets from a path without a route.
    instance.setNotFoundHandler(async (_request, reply) => reply.code(200).send('a page'));
  });
  expect((await http.inject({ method: 'DELETE', url: '/planted' })).statusCode).toBe(200);
  expect((await http.inject({ method: 'OPTIONS', url: '/planted/1' })).statusCode).toBe(200);
  expect((await http.inject({ method: 'GET', url: '/planted/1' })).statusCode).toBe(200);
  expect(report()).toEqual(['DELETE /planted/:id: no test reaches it']);
  await http.inject({ method: 'DELETE', url: '/planted/1', headers: { 'x-stop': '1' } });
  expect(report()).toEqual(['DELETE /planted/:id: no test gets a success from it, only 503']);
});

test('the HEAD route that the router adds to GET needs no test and is none; a HEAD route of its own needs one', async () => {
  const { http, report } = recorded((instance) => {
    instance.get('/automatic', async () => 'x');
    instance.head('/own', async () => '');
    instance.get('/own', async () => 'x');
  });
  for (const url of ['/automatic', '/own']) await http.inject(url);
  expect(report()).toEqual(['HEAD /own: no test reaches it']);
  await http.inject({ method: 'HEAD', url: '/own' });
  expect(report()).toEqual([]);
  const onlyHead = recorded((instance) => void instance.get('/automatic', async () => 'x'));
  expect((await onlyHead.http.inject({ method: 'HEAD', url: '/automatic' })).statusCode).toBe(200);
  expect(onlyHead.report()).toEqual(['GET /automatic: no test reaches it']);
});

test('routes with the same pattern and different constraints are distinguished', async () => {
  const { http, report } = recorded((instance) => {
    instance.get('/planted', async () => 'any');
    instance.get('/planted', { constraints: { host: 'a.test' } }, async () => 'a');
    instance.get('/planted', { constraints: { host: 'b.test' } }, async () => 'b');
  });
  await http.inject('/planted');
  expect((await http.inject({ url: '/planted', headers: { host: 'a.test' } })).body).toBe('a');
  expect(report()).toEqual(['GET /planted {"host":"b.test"}: no test reaches it']);
});

test('a literal path, a parameter and a wildcard in its place are distinguished', async () => {
  const { http, report } = recorded((instance) => {
    for (const url of ['/planted/me', '/planted/:id', '/planted/*']) instance.delete(url, async () => url);
  });
  expect((await http.inject({ method: 'DELETE', url: '/planted/me' })).body).toBe('/planted/me');
  expect(report()).toEqual(['DELETE /planted/*: no test reaches it', 'DELETE /planted/:id: no test reaches it']);
  expect((await http.inject({ method: 'DELETE', url: '/planted/you' })).body).toBe('/planted/:id');
  expect((await http.inject({ method: 'DELETE', url: '/planted/you/me' })).body).toBe('/planted/*');
  expect(report()).toEqual([]);
});

test('each method of a route needs its own test', async () => {
  const { http, report } = recorded(
    (instance) => void instance.route({ method: ['POST', 'DELETE'], url: '/a', handler: async () => 'x' }),
  );
  await http.inject({ method: 'POST', url: '/a' });
  expect(report()).toEqual(['DELETE /a: no test reaches it']);
});

test('a hook that answers in place of the handler covers nothing', async () => {
  const { http, report } = recorded((instance) => {
    addPlanted(instance);
    instance.addHook('preHandler', async (_request, reply) => reply.code(200).send('from the hook'));
  });
  const { statusCode, body } = await http.inject({ method: 'DELETE', url: '/planted/1' });
  expect([statusCode, body]).toEqual([200, 'from the hook']);
  expect(report()).toEqual(['DELETE /planted/:id: no test reaches it']);
});

test('a handler that sends or throws later covers its route as it answers', async () => {
  const { http, report } = recorded((instance) => {
    instance.get('/sends', (_request, reply) => void setImmediate(() => void reply.send('x')));
    instance.get('/throws', async () => Promise.reject(new Error('a bug')));
    instance.get('/hangs-up', (_request, reply) => void reply.hijack().raw.destroy());
  });
  for (const url of ['/sends', '/throws', '/hangs-up']) await http.inject(url).catch(() => {});
  expect(report()).toEqual([
    'GET /hangs-up: no test reaches it',
    'GET /throws: no test gets a success from it, only 500',
  ]);
});

test('requesting every route in a loop covers none of them, although refusals count', async () => {
  const { http, report } = recorded((instance) => {
    addPlanted(instance);
    instance.get('/refused', async (_request, reply) => reply.code(401).send());
  }, true);
  await http.inject({ method: 'DELETE', url: '/planted/1' });
  await http.inject('/refused');
  expect(report()).toEqual([
    'DELETE /planted/:id: no test reaches it',
    'GET /refused: no test gets a success from it, only 401',
  ]);
});
