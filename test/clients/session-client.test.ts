import { expect, test } from 'vitest';
import { ClientFolder } from '../api/web/client-folder.ts';
import { findChromium, noChromium } from './chromium.ts';
import { disposedAfter, startRealServer } from './real-server.ts';
import { signUp } from './sign-up.ts';
import { Tab } from './tab.ts';
import { serveWebClient } from './web-client-page.ts';

interface SignInForm {
  readonly elements: { namedItem(name: string): { value: string } };
  requestSubmit(): void;
}

// Available in the page, where the functions given to `tab.run` run.
declare const document: {
  readonly readyState: string;
  readonly forms: readonly SignInForm[];
  querySelector(selector: string): object | null;
};
declare const location: { readonly origin: string };

test('OAU-01: Chromium calls the API by the cookie for our own pages, and for those of no other origin', async ({
  skip,
  onTestFinished,
}) => {
  if (findChromium() === undefined) return skip(noChromium);
  const stack = disposedAfter(onTestFinished);
  const folder = stack.use(new ClientFolder());
  const settings = { WEB_CLIENT_DIR: folder.path };
  const server = await startRealServer(stack, settings, 'localhost');
  const { rest } = await signUp(server, 'alice');
  const tab = await Tab.open(stack);
  await tab.page.goto(`${server.url}/auth/sign_in`);
  await tab.run(() => {
    const [form] = document.forms;
    for (const [name, value] of [
      ['email', 'alice'],
      ['password', 'correct horse battery'],
    ] as const) {
      const input = form?.elements.namedItem(name);
      if (input !== undefined) input.value = value;
    }
    form?.requestSubmit();
  });
  await tab.waitUntil(() => document.querySelector('#app') !== null && document.readyState === 'complete');
  expect(await tab.run(callAsClient)).toEqual({
    username: 'alice',
    home: 200,
    postedWithoutHeader: 401,
    postedForOther: 409,
    posted: 200,
    streamed: ['update'],
  });

  // The same host with another port: browsers send the cookie, but the page has another origin.
  const other = await serveWebClient(stack);
  expect(new URL(other).hostname).toBe(new URL(server.url).hostname);
  await tab.page.goto(other);
  const account = await rest.v1.accounts.verifyCredentials();
  expect(await tab.run(attack, server.url, account.id)).toEqual({
    read: 'TypeError',
    withHeader: 'TypeError',
    form: 'opaque',
    socket: 'error',
  });
  const posts = await rest.v1.accounts.$select(account.id).statuses.list();
  expect(posts.map(({ text, content }) => text ?? content)).toEqual(['<p>Hello</p>']);
});

/** What the web client does: reads, posts and receives its post by a WebSocket. Runs in the page. */
async function callAsClient() {
  const { account } = (await (await fetch('/api/web/session')).json()) as { account: { id: string; username: string } };
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/v1/streaming?stream=user`);
  const opened = Promise.withResolvers<void>();
  const received = Promise.withResolvers<string>();
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error('the WebSocket did not open')));
  socket.addEventListener('message', ({ data }) =>
    received.resolve((JSON.parse(String(data)) as { event: string }).event),
  );
  await opened.promise;
  const post = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ status: 'Hello' });
    const type = { 'content-type': 'application/json' };
    return (await fetch('/api/v1/statuses', { method: 'POST', body, headers: { ...type, ...headers } })).status;
  };
  const [postedWithoutHeader, postedForOther] = [await post({}), await post({ 'fieldfare-account': '1' })];
  const posted = await post({ 'fieldfare-account': account.id });
  const home = (await fetch('/api/v1/timelines/home?limit=20')).status;
  const streamed = [await received.promise];
  return { username: account.username, home, postedWithoutHeader, postedForOther, posted, streamed };
}

/** What a page of another origin can try. Runs in the page. */
async function attack(url: string, accountId: string) {
  const credentials = 'include';
  const failure = async (request: Promise<Response>) =>
    request.then(
      ({ type }) => type,
      (error: Error) => error.name,
    );
  const body = new URLSearchParams({ status: 'Stolen' });
  const headers = { 'fieldfare-account': accountId };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/streaming?stream=user`);
  const outcome = Promise.withResolvers<string>();
  for (const name of ['open', 'error']) socket.addEventListener(name, () => outcome.resolve(name));
  return {
    read: await failure(fetch(`${url}/api/v1/timelines/home`, { credentials })),
    withHeader: await failure(fetch(`${url}/api/v1/statuses`, { method: 'POST', body, headers, credentials })),
    form: await failure(fetch(`${url}/api/v1/statuses`, { method: 'POST', body, mode: 'no-cors', credentials })),
    socket: await outcome.promise,
  };
}
