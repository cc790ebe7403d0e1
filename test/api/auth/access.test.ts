import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { revokeTokens } from '../../../server/oauth/index.ts';
import { usesCookies, type Route } from '../../../server/platform/http/routes.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { disableUser } from '../../../server/moderation/index.ts';
import { Client, form, startServer, type TestServer } from '../../server.ts';
import { writable } from '../../writable.ts';

/** Client methods that need no token (`none` in reference/endpoints.tsv, and of our own). */
const anonymousRoutes = `
POST /api/v1/apps
GET /api/v1/accounts/:id/featured_tags
GET /api/v1/custom_emojis
GET /api/v1/directory
GET /health
GET /api/v1/instance
GET /api/v2/instance
GET /api/v1/instance/peers
GET /api/v1/instance/activity
GET /api/v1/instance/rules
GET /api/v1/instance/extended_description
GET /api/v1/instance/privacy_policy
GET /api/v1/instance/terms_of_service
GET /api/v1/instance/terms_of_service/:date
GET /api/v1/instance/translation_languages
GET /api/v1/instance/languages
GET /api/v1/peers/search
POST /oauth/token
POST /oauth/revoke
POST /oauth/device_authorization
GET /.well-known/oauth-authorization-server
GET /api/oembed
GET /api/v1/trends
GET /api/v1/trends/tags
GET /api/v1/trends/statuses
GET /api/v1/trends/links
DELETE /api/web/push_subscriptions/:id
POST /api/v1/accounts/:id/email_subscriptions
GET /api/v1/fieldfare/sign_up_challenge
`;

/** Client methods with an optional user token (`optional-user`), with the scopes that it needs. */
const optionalTokenRoutes = `
GET /api/v1/accounts/:id read|read:accounts
GET /api/v1/accounts read|read:accounts
GET /api/v1/accounts/:id/statuses read|read:statuses
GET /api/v1/accounts/:id/followers read|read:accounts
GET /api/v1/accounts/:id/following read|read:accounts
GET /api/v1/accounts/:id/endorsements read|read:accounts
GET /api/v1/accounts/lookup read|read:accounts
GET /api/v1/collections/:id read|read:collections
GET /api/v1/accounts/:account_id/collections read|read:collections
GET /api/v1/instance/domain_blocks
GET /api/v1/polls/:id read|read:statuses
GET /api/v2/search read|read:search
GET /api/v1/statuses/:id read|read:statuses
GET /api/v1/statuses read|read:statuses
GET /api/v1/statuses/:id/context read|read:statuses
GET /api/v1/statuses/:id/reblogged_by read|read:accounts
GET /api/v1/statuses/:id/favourited_by read|read:accounts
GET /api/v1/statuses/:id/history read|read:statuses
GET /api/v1/tags/:name
GET /api/v1/timelines/public read|read:statuses
GET /api/v1/timelines/tag/:hashtag read|read:statuses
GET /api/v1/timelines/link read|read:statuses
`;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly scope: string | undefined;
}

const parseRows = (table: string): Row[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [method = '', path = '', scope] = line.split(' ');
      return { method, path, scope };
    });

const findRoute = ({ method, path }: Row): Route | undefined =>
  routes.find((route) => route.method === method && route.path === path);

test('routes require the tokens and scopes of the API reference, and no other route is public', () => {
  for (const row of parseRows(anonymousRoutes)) {
    const options = findRoute(row)?.options;
    expect([options?.access, options?.scope], `${row.method} ${row.path}`).toEqual(['anyone', undefined]);
  }
  for (const row of parseRows(optionalTokenRoutes)) {
    const options = findRoute(row)?.options;
    expect([options?.access, options?.scope], `${row.method} ${row.path}`).toEqual(['anyone', row.scope]);
  }
  const known = new Set(
    [...parseRows(anonymousRoutes), ...parseRows(optionalTokenRoutes)].map(({ method, path }) => `${method} ${path}`),
  );
  const others = routes.filter(
    ({ method, path, options }) =>
      options.access === 'anyone' &&
      options.undocumented !== true &&
      !path.includes('_alpha/') &&
      !known.has(`${method} ${path}`),
  );
  expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health/ready',
    'GET /api/v1/streaming/health',
  ]);
});

/** Returns clients with invalid tokens, and one whose user is disabled. */
async function createRejectedClients(server: TestServer): Promise<{ invalid: Client[]; disabled: Client }> {
  const unknown = new Client(server.http, 'unknown');
  const revoked = await server.user('revoked');
  await transaction(server.app, (tx) => revokeTokens(tx, { userId: revoked.userId }));
  const app = await server.appToken();
  await transaction(server.app, async ({ db }) => {
    await writable(db)
      .updateTable('oauth_tokens')
      .set({ revoked_at: server.clock.now() })
      .where('user_id', 'is', null)
      .execute();
  });
  const disabled = await server.user('disabled');
  await disableUser(server.app, 'system', { accountId: disabled.id });
  return { invalid: [unknown, revoked, app], disabled };
}

test('an invalid token is ignored where a token is optional, and a route without scopes accepts every token', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: status } = await alice.post('/api/v1/statuses', {
    status: 'Hello #birds',
    poll: { options: ['a', 'b'], expires_in: 3600 },
  });
  const { invalid, disabled } = await createRejectedClients(server);
  const scopeless = await server.withScopes(alice, 'push');
  const pathParameters: Record<string, string> = {
    ':account_id': alice.id,
    ':date': '2026-01-01',
    ':hashtag': 'birds',
    ':name': 'birds',
  };
  const urlOf = ({ path }: Row): string => {
    const id = path.includes('/polls/') ? status.poll.id : path.includes('/accounts/') ? alice.id : status.id;
    return `${path.replace(/:\w+/, (name) => pathParameters[name] ?? id)}?id[]=${id}&acct=alice&q=alice&url=https://a.test/`;
  };
  const request = async (client: Client, row: Row) => {
    const { status: code, text } = await client.call(
      row.method as 'GET',
      urlOf(row),
      row.method === 'POST' ? {} : undefined,
    );
    return { row, code, text };
  };
  for (const row of [...parseRows(anonymousRoutes), ...parseRows(optionalTokenRoutes)]) {
    const anonymous = await request(server.anonymous, row);
    for (const client of invalid) expect(await request(client, row)).toEqual(anonymous);
    if (row.scope === undefined) {
      expect(await request(disabled, row)).toEqual(anonymous);
      expect(await request(scopeless, row)).toMatchObject({ code: anonymous.code });
    } else {
      expect(await request(disabled, row)).toMatchObject({ code: 403 });
      expect(await request(scopeless, row)).toMatchObject({ code: 403 });
    }
  }
});

test('every route that needs a token returns 401 to anonymous clients, without a query', async () => {
  await using server = await startServer({ sweep: true });
  const guarded = routes.filter(({ options: { access } }) => access !== 'anyone' && !usesCookies(access));
  expect(guarded.length).toBeGreaterThan(100);
  // Loads the blocks of IP addresses into their cache.
  await server.anonymous.get('/api/v1/timelines/home');
  const refuseAll = async () => {
    for (const { method, path } of guarded) {
      const refused = await server.anonymous.call(method, path.replaceAll(/:\w+/g, '1'));
      expect([refused.status, typeof refused.json.error], `${method} ${path}`).toEqual([401, 'string']);
    }
  };
  expect(await server.countQueries(refuseAll)).toBe(0);
});

test('an app with an invalid token can read the instance and register again', async () => {
  await using server = await startServer();
  const { invalid } = await createRejectedClients(server);
  for (const client of invalid) {
    expect((await client.get('/api/v2/instance')).status).toBe(200);
    const registered = await client.post('/api/v1/apps', { client_name: 'A', redirect_uris: 'https://a.test/' });
    expect(registered.status).toBe(200);
    expect((await client.get('/api/v1/timelines/home')).status).toBe(401);
  }
});

test('with a valid token, the directory leaves out accounts that the viewer blocks or mutes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const name of ['bob', 'carol', 'dave']) {
    const user = await server.user(name);
    await user.patch('/api/v1/accounts/update_credentials', { discoverable: true });
    await user.post('/api/v1/statuses', { status: 'Hello' });
    if (name === 'bob') await alice.post(`/api/v1/accounts/${user.id}/block`);
    if (name === 'carol') await alice.post(`/api/v1/accounts/${user.id}/mute`);
  }
  await server.drain();
  const namesFor = async (client: Client): Promise<string[]> =>
    ((await client.get('/api/v1/directory?order=new')).json as { username: string }[]).map(({ username }) => username);
  expect(await namesFor(alice)).toEqual(['dave']);
  expect(await namesFor(await server.withScopes(alice, 'write'))).toEqual(['dave']);
  expect(await namesFor(new Client(server.http, 'unknown'))).toEqual(['dave', 'carol', 'bob']);
});

test('a token in a form body posts a status', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const body = form({ status: 'Hello', access_token: alice.token ?? '' });
  const posted = await server.anonymous.post('/api/v1/statuses', body);
  expect([posted.status, posted.json.account.username]).toEqual([200, 'alice']);
  expect((await server.anonymous.post('/api/v1/statuses', form({ status: 'x', access_token: 'y' }))).status).toBe(401);
});
