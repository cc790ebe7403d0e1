import { globSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createRestAPIClient, type mastodon } from 'masto';
import { expect, test } from 'vitest';
import { startServer } from '../server.ts';
import { staffScenarios } from '../staff/scenarios/index.ts';

type Admin = mastodon.rest.v1.AdminResource;
/** Calls a method of masto.js with the id of the path and the parameters of the scenario. */
type Call = (admin: Admin, id: string, params: never) => PromiseLike<unknown>;

const path = '/api/v1/admin';
const { accounts, reports } = { accounts: `${path}/accounts`, reports: `${path}/reports` };
const { domainBlocks, domainAllows } = { domainBlocks: `${path}/domain_blocks`, domainAllows: `${path}/domain_allows` };
const { emailBlocks, hashes } = {
  emailBlocks: `${path}/email_domain_blocks`,
  hashes: `${path}/canonical_email_blocks`,
};
const { ipBlocks, trends } = { ipBlocks: `${path}/ip_blocks`, trends: `${path}/trends` };

/** Every method of the admin namespace, by the route that it calls. */
const calls: Readonly<Record<string, Call>> = {
  [`GET ${accounts}`]: (admin) => admin.accounts.list({ local: true, active: true, username: 'ali' }),
  [`GET ${accounts}/:id`]: (admin, id) => admin.accounts.$select(id).fetch(),
  [`POST ${accounts}/:id/approve`]: (admin, id) => admin.accounts.$select(id).approve(),
  [`POST ${accounts}/:id/reject`]: (admin, id) => admin.accounts.$select(id).reject(),
  [`POST ${accounts}/:id/enable`]: (admin, id) => admin.accounts.$select(id).enable(),
  [`POST ${accounts}/:id/unsilence`]: (admin, id) => admin.accounts.$select(id).unsilence(),
  [`POST ${accounts}/:id/unsuspend`]: (admin, id) => admin.accounts.$select(id).unsuspend(),
  [`POST ${accounts}/:id/unsensitive`]: (admin, id) => admin.accounts.$select(id).unsensitive(),
  [`POST ${accounts}/:id/action`]: (admin, id, params) => admin.accounts.$select(id).action.create(params),
  [`GET ${reports}`]: (admin) => admin.reports.list({ resolved: false }),
  [`GET ${reports}/:id`]: (admin, id) => admin.reports.$select(id).fetch(),
  [`POST ${reports}/:id/assign_to_self`]: (admin, id) => admin.reports.$select(id).assignToSelf(),
  [`POST ${reports}/:id/unassign`]: (admin, id) => admin.reports.$select(id).unassign(),
  [`POST ${reports}/:id/resolve`]: (admin, id) => admin.reports.$select(id).resolve(),
  [`POST ${reports}/:id/reopen`]: (admin, id) => admin.reports.$select(id).reopen(),
  [`GET ${domainBlocks}`]: (admin) => admin.domainBlocks.list({ limit: 10 }),
  [`GET ${domainBlocks}/:id`]: (admin, id) => admin.domainBlocks.$select(id).fetch(),
  [`POST ${domainBlocks}`]: (admin, _id, params) => admin.domainBlocks.create(params),
  [`PUT ${domainBlocks}/:id`]: (admin, id, params) => admin.domainBlocks.$select(id).update(params),
  [`DELETE ${domainBlocks}/:id`]: (admin, id) => admin.domainBlocks.$select(id).remove(),
  [`GET ${domainAllows}`]: (admin) => admin.domainAllows.list(),
  [`GET ${domainAllows}/:id`]: (admin, id) => admin.domainAllows.$select(id).fetch(),
  [`POST ${domainAllows}`]: (admin, _id, params) => admin.domainAllows.create(params),
  [`DELETE ${domainAllows}/:id`]: (admin, id) => admin.domainAllows.$select(id).remove(),
  [`GET ${emailBlocks}`]: (admin) => admin.emailDomainBlocks.list(),
  [`GET ${emailBlocks}/:id`]: (admin, id) => admin.emailDomainBlocks.$select(id).fetch(),
  [`POST ${emailBlocks}`]: (admin, _id, params) => admin.emailDomainBlocks.create(params),
  [`DELETE ${emailBlocks}/:id`]: (admin, id) => admin.emailDomainBlocks.$select(id).remove(),
  [`GET ${hashes}`]: (admin) => admin.canonicalEmailBlocks.list(),
  [`GET ${hashes}/:id`]: (admin, id) => admin.canonicalEmailBlocks.$select(id).fetch(),
  [`POST ${hashes}/test`]: (admin, _id, params) => admin.canonicalEmailBlocks.test(params),
  [`POST ${hashes}`]: (admin, _id, params) => admin.canonicalEmailBlocks.create(params),
  [`DELETE ${hashes}/:id`]: (admin, id) => admin.canonicalEmailBlocks.$select(id).remove(),
  [`GET ${ipBlocks}`]: (admin) => admin.ipBlocks.list({ limit: 10 }),
  [`GET ${ipBlocks}/:id`]: (admin, id) => admin.ipBlocks.$select(id).fetch(),
  [`POST ${ipBlocks}`]: (admin, _id, params) => admin.ipBlocks.create(params),
  [`PUT ${ipBlocks}/:id`]: (admin, id, params) => admin.ipBlocks.$select(id).update(params),
  [`DELETE ${ipBlocks}/:id`]: (admin, id) => admin.ipBlocks.$select(id).remove(),
  [`POST ${path}/measures`]: (admin, _id, params) => admin.measures.create(params),
  [`POST ${path}/dimensions`]: (admin, _id, params) => admin.dimensions.create(params),
  [`POST ${path}/retention`]: (admin, _id, params) => admin.retention.create(params),
  [`GET ${trends}/tags`]: (admin) => admin.trends.tags.list(),
  [`POST ${trends}/tags/:id/approve`]: (admin, id) => admin.trends.tags.$select(id).approve(),
  [`POST ${trends}/tags/:id/reject`]: (admin, id) => admin.trends.tags.$select(id).reject(),
  [`GET ${trends}/statuses`]: (admin) => admin.trends.statuses.list(),
  [`POST ${trends}/statuses/:id/approve`]: (admin, id) => admin.trends.statuses.$select(id).approve(),
  [`POST ${trends}/statuses/:id/reject`]: (admin, id) => admin.trends.statuses.$select(id).reject(),
  [`GET ${trends}/links`]: (admin) => admin.trends.links.list(),
  [`POST ${trends}/links/:id/approve`]: (admin, id) => admin.trends.links.$select(id).approve(),
  [`POST ${trends}/links/:id/reject`]: (admin, id) => admin.trends.links.$select(id).reject(),
  [`GET ${trends}/links/publishers`]: (admin) => admin.trends.links.publishers.list(),
  [`POST ${trends}/links/publishers/:id/approve`]: (admin, id) => admin.trends.links.publishers.$select(id).approve(),
  [`POST ${trends}/links/publishers/:id/reject`]: (admin, id) => admin.trends.links.publishers.$select(id).reject(),
};

/** Lists that are no staff routes have no scenario: they also answer users. */
const withoutScenario: ReadonlySet<string> = new Set(
  ['tags', 'statuses', 'links'].map((name) => `GET ${trends}/${name}`),
);

const camelCase = (text: string): string => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const toParams = (body: object = {}) =>
  Object.fromEntries(Object.entries(body).map(([key, value]) => [camelCase(key), value])) as never;

/** Starts the app on a free port, with a client of its owner and the requests that it received. */
async function startWithClient() {
  const server = await startServer();
  const requests: string[] = [];
  server.http.server.on('request', ({ method = '', url = '' }) => requests.push(`${method} ${url.split('?', 1)[0]}`));
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  const owner = await server.user('chief', { role: 'owner', scopes: 'read write admin:read admin:write' });
  const client = createRestAPIClient({ url: `http://127.0.0.1:${port}`, accessToken: owner.token ?? '' });
  return { server, client, requests };
}

test('the calls below are all methods of the admin namespace of masto.js', () => {
  const declarations = globSync('node_modules/masto/dist/mastodon/rest/v1/admin/*.d.ts').map((file) =>
    readFileSync(file, 'utf8'),
  );
  expect(declarations.join('\n').match(/: Method</g)).toHaveLength(Object.keys(calls).length);
});

test.for(Object.entries(calls))('ADM-01..07: masto.js: %s', async ([route, call]) => {
  const { server, client, requests } = await startWithClient();
  await using _ = server;
  const prepare = staffScenarios[route];
  expect(prepare !== undefined).toBe(!withoutScenario.has(route));
  const { path: target, body } = (await prepare?.(server)) ?? { path: route.split(' ')[1] ?? '' };
  const place = route.split(' ')[1]?.split('/').indexOf(':id') ?? -1;
  const id = target.split('/')[place] ?? '';
  const result = await call(client.v1.admin, id, toParams(body));
  expect(requests.at(-1)).toBe(`${route.split(' ')[0]} ${target}`);
  const isList = route.startsWith('GET') && !route.endsWith(':id');
  expect(Array.isArray(result)).toBe(isList || /(?:measures|dimensions|retention|test)$/.test(route));
  if (route === `GET ${accounts}/:id`) expect(result).toMatchObject({ id, createdAt: expect.any(String) });
});

test('ADM-01: masto.js: the second version of the list of accounts', async () => {
  const { server, client } = await startWithClient();
  await using _ = server;
  await server.user('alice');
  // masto.js has no types for it yet; it builds every path from names.
  const { v2 } = client as unknown as {
    v2: { admin: { accounts: { list: (params: object) => PromiseLike<mastodon.v1.admin.Account[]> } } };
  };
  const found = await v2.admin.accounts.list({ origin: 'local', username: 'ali' });
  expect(found.map(({ username, account }) => [username, account.acct])).toEqual([['alice', 'alice']]);
});
