import { expect, test } from 'vitest';
import { findChromium, noChromium } from './chromium.ts';
import { disposedAfter, startRealServer, type RealServer } from './real-server.ts';
import { signUp } from './sign-up.ts';
import { Tab } from './tab.ts';
import { filterAndSearch, publish, readNotifications, readTimelines, subscribeToPush } from './web-client-actions.ts';
import { serveWebClient } from './web-client-page.ts';
import { authorize, type Grant, type WebClient } from './web-client.ts';

// Available in the page, where the functions given to `tab.run` run.
declare const webClient: WebClient;

test('OAU-01, STR-01, NTF-01, FL2-01: a web client of another origin works in Chromium', async ({
  skip,
  onTestFinished,
}) => {
  if (findChromium() === undefined) return skip(noChromium);
  const stack = disposedAfter(onTestFinished);
  const server = await startRealServer(stack, { RATE_LIMITS: 'on' });
  const { rest: alice } = await signUp(server, 'alice');
  await signUp(server, 'bob');
  const page = await serveWebClient(stack);
  const tab = await Tab.open(stack);
  const grant = await authorize(tab, server, { page, email: 'bob@mail.example' });

  await startClient(tab, server, grant);
  await readTimelines(tab, alice);
  await readHeaders(tab, server, grant);
  await publish(tab);
  await readNotifications(tab, alice);
  await filterAndSearch(tab, alice);
  await subscribeToPush(tab, grant.vapidKey);
  await readErrors(tab, server);
  await signOut(tab, server, grant);
});

/** Loads what clients need first: the kind of server, the account, preferences, markers and the user stream. */
async function startClient(tab: Tab, server: RealServer, { accessToken, vapidKey }: Grant): Promise<void> {
  const documents = await tab.run(async (url: string) => {
    const paths = ['/.well-known/nodeinfo', '/nodeinfo/2.0', '/.well-known/oauth-authorization-server'];
    return Promise.all(paths.map(async (path): Promise<unknown> => (await fetch(url + path)).json()));
  }, server.url);
  expect(documents).toMatchObject([
    { links: [{ href: `${server.url}/nodeinfo/2.0` }, {}] },
    { software: { name: 'fieldfare' } },
    { code_challenge_methods_supported: ['S256'] },
  ]);
  const loaded = await tab.run(
    async (url: string, accessToken: string) => {
      const rest = (webClient.rest = webClient.masto.createRestAPIClient({ url, accessToken }));
      const [account, instance, preferences, markers] = await Promise.all([
        rest.v1.accounts.verifyCredentials(),
        rest.v2.instance.fetch(),
        rest.v1.preferences.fetch(),
        rest.v1.markers.fetch({ timeline: ['home', 'notifications'] }),
      ]);
      const lists = [rest.v2.filters, rest.v1.lists, rest.v1.announcements, rest.v1.followedTags];
      return { account, instance, preferences, markers, lists: await Promise.all(lists.map(async (it) => it.list())) };
    },
    server.url,
    accessToken,
  );
  expect(loaded).toMatchObject({
    account: { username: 'bob', source: { privacy: 'public' } },
    instance: { domain: server.host, configuration: { vapid: { publicKey: vapidKey } } },
    preferences: { 'posting:default:visibility': 'public' },
    markers: {},
    lists: [[], [], [], []],
  });
  const { streaming } = loaded.instance.configuration.urls;
  expect(streaming).toBe(`ws://${server.host}`);
  await tab.run(openStream, streaming, accessToken);
}

function openStream(streamingApiUrl: string, accessToken: string): void {
  const { masto, events } = webClient;
  const client = masto.createStreamingAPIClient({ streamingApiUrl, accessToken, implementation: WebSocket });
  void (async () => {
    for await (const event of client.user.subscribe()) events.push(event);
  })();
}

/** Reads the headers that the browser shows only if CORS exposes them. */
async function readHeaders(tab: Tab, server: RealServer, { accessToken }: Grant): Promise<void> {
  const headers = await tab.run(
    async (url: string, authorization: string) => {
      const response = await fetch(`${url}/api/v1/timelines/home?limit=1`, { headers: { authorization } });
      return Object.fromEntries(response.headers);
    },
    server.url,
    `Bearer ${accessToken}`,
  );
  expect(headers).toMatchObject({
    link: expect.stringContaining(`<${server.url}/api/v1/timelines/home?`) as string,
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/) as string,
    'x-ratelimit-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    'x-request-id': expect.any(String) as string,
  });
}

/** Errors reach the page with their JSON, which takes the CORS headers. */
async function readErrors(tab: Tab, server: RealServer): Promise<void> {
  const failures = await tab.run(async (url: string) => {
    const stranger = webClient.masto.createRestAPIClient({ url, accessToken: 'wrong' });
    const requests = [webClient.rest.v1.statuses.$select('1').fetch(), stranger.v1.accounts.verifyCredentials()];
    const errors = (await Promise.allSettled(requests)).map((result) =>
      result.status === 'rejected' ? (result.reason as { statusCode: number; message: string }) : undefined,
    );
    const unknown = await fetch(`${url}/api/v1/unknown`);
    const body: unknown = await unknown.json();
    return { errors: errors.map((error) => [error?.statusCode, error?.message]), unknown: [unknown.status, body] };
  }, server.url);
  expect(failures).toEqual({
    errors: [
      [404, 'Record not found'],
      [401, 'The access token is invalid'],
    ],
    unknown: [404, { error: expect.any(String) as string }],
  });
}

/** Revokes the token, which also closes the streams that it opened. */
async function signOut(tab: Tab, server: RealServer, grant: Grant): Promise<void> {
  const status = await tab.run(
    async (url: string, { clientId, clientSecret, accessToken }: Grant) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/streaming?stream=user`, accessToken);
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
      await webClient.masto.createOAuthAPIClient({ url }).revoke({ clientId, clientSecret, token: accessToken });
      await closed;
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await fetch(`${url}/api/v1/accounts/verify_credentials`, { headers })).status;
    },
    server.url,
    grant,
  );
  expect(status).toBe(401);
}
