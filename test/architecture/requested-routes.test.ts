import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import { isRequested, requestsIn } from './requested-routes.ts';
import { parse } from './syntax.ts';

/** Tests of sources list routes without requesting them. */
const files = [...globSync('server/**/*.test.ts'), ...globSync('test/**/*.ts')].filter(
  (file) => !file.startsWith('test/architecture/'),
);
const requests = requestsIn(files.map((file) => parse(file, readFileSync(file, 'utf8'))));

// A whole run of the tests also sees which method was requested, and whether it succeeded (test/route-coverage.ts).
test('the tests name a request to every route', () => {
  expect(routes.length).toBeGreaterThan(600);
  // The addresses of actors with the id of the account have the handlers of those with the name.
  const ownHandlers = routes.filter(({ path }) => !path.startsWith('/ap/users/:account_id'));
  expect(
    ownHandlers.filter((route) => !isRequested(route, requests)).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([]);
});

test('a planted route is not requested', () => {
  expect(isRequested({ method: 'POST', path: '/api/v1/planted' }, requests)).toBe(false);
  expect(isRequested({ method: 'DELETE', path: '/api/v1/statuses/:id/planted' }, requests)).toBe(false);
});

const requested = (code: string, name: string): boolean => {
  const [method = '', path = ''] = name.split(' ');
  return isRequested({ method, path }, requestsIn([parse('test/planted.ts', code)]));
};

test.each([
  ["alice.get('/api/v1/lists');", 'GET /api/v1/lists'],
  ["alice.get('/api/v1/lists?limit=1');", 'GET /api/v1/lists'],
  ["alice.delete('/api/v1/lists/1');", 'DELETE /api/v1/lists/:id'],
  ['alice.delete(`/api/v1/lists/${id}`);', 'DELETE /api/v1/lists/:id'],
  ["const path = '/api/v1/lists'; alice.put(`${path}/${id}`);", 'PUT /api/v1/lists/:id'],
  [
    "for (const action of ['mute', 'block']) alice.post(`/api/v1/accounts/${id}/${action}`);",
    'POST /api/v1/accounts/:id/mute',
  ],
  ["const paths = ['/api/v1/lists']; for (const path of paths) alice.get(path);", 'GET /api/v1/lists'],
  ["test.each(['DELETE /api/v1/lists/:id'])", 'DELETE /api/v1/lists/:id'],
  ["browser.submit('/settings/invites', {});", 'POST /settings/invites'],
  ["browser.fetch('PUT', '/api/web/settings', {});", 'PUT /api/web/settings'],
  ["fetch('/api/web/settings', { method: 'PUT' });", 'PUT /api/web/settings'],
  ["for (const path of ['/api/v1/lists']) alice.delete(path);", 'DELETE /api/v1/lists'],
  [
    "const remove = (id: string, url: string) => alice.delete(url); remove('1', '/api/v1/lists');",
    'DELETE /api/v1/lists',
  ],
])('%s requests %s', (code, name) => {
  expect(requested(code, name)).toBe(true);
});

test.each([
  ["alice.get('/api/v1/lists');", 'POST /api/v1/lists'],
  ["alice.get('/api/v1/lists/1/accounts');", 'GET /api/v1/lists/:id'],
  ["alice.get('/api/v1/lists');", 'GET /api/v1/lists/:id'],
  ['alice.post(`/api/v1/accounts/${id}/${action}`);', 'POST /api/v1/accounts/:id/mute'],
  ["const paths = ['/api/v1/lists']; for (const path of paths) alice.get(path);", 'DELETE /api/v1/lists'],
  ["const path = '/api/v1/lists'; alice.get(path); alice.delete('/api/v1/filters');", 'DELETE /api/v1/lists'],
  ["const [one, other] = ['/api/v1/lists', alice.delete];", 'DELETE /api/v1/lists'],
])('%s does not request %s', (code, name) => {
  expect(requested(code, name)).toBe(false);
});
