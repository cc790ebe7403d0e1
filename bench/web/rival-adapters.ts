import type { Page } from 'playwright-core';
import type { ClientAdapter, SignIn } from './client-adapter.ts';

const scopes = 'read write follow push';

/** True once the number of stored responses stays the same from one look to the next. */
const isStored = `(async () => {
  const names = await caches.keys();
  const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const [before, now] = [globalThis.storedResponses, keys.flat().length];
  globalThis.storedResponses = now;
  return now > 0 && now === before;
})()`;

/** Phanpy registers itself and asks for consent in a pop-up, or in its own window where pop-ups are blocked. */
const phanpy: ClientAdapter = {
  title: 'Phanpy',
  homePath: '/#/',
  post: '.timeline .status .content',
  favourite: undefined,
  isStored,
  async signIn(page, origin, { server }) {
    await page.addInitScript('globalThis.open = () => null');
    await page.goto(`${origin}/#/login?instance=${new URL(server).host}&submit=1`);
    await allow(page);
    await page.locator(this.post).first().waitFor();
  },
};

/** A static build of Elk has no server that obtains the token, so the script does it and opens the page that follows. */
const elk: ClientAdapter = {
  title: 'Elk',
  homePath: '/home',
  post: '.status-body .content-rich',
  favourite: { button: 'button[aria-label^="Favo"]:not([aria-label*="ited"])', attribute: 'aria-label' },
  isStored,
  async signIn(page, origin, { server }) {
    const token = await obtainToken(page, origin, server);
    const query = new URLSearchParams({ server: new URL(server).host, token, vapid_key: '' });
    await page.goto(`${origin}/signin/callback?${query.toString()}`);
    await page.locator(this.post).first().waitFor();
  },
};

/** Other clients of the API, by the name in `--client`. */
export const rivals: Readonly<Record<string, ClientAdapter>> = { phanpy, elk };

/** Registers an app, and has the person who is signed in authorize it. */
async function obtainToken(page: Page, origin: string, server: SignIn['server']): Promise<string> {
  const { request } = page.context();
  const redirect = { redirect_uri: `${origin}/signed-in` };
  const registration = { client_name: 'Comparison', redirect_uris: redirect.redirect_uri, scopes };
  const app = await request.post(`${server}/api/v1/apps`, { data: registration });
  const { client_id, client_secret } = (await app.json()) as { client_id: string; client_secret: string };
  const query = new URLSearchParams({ ...redirect, client_id, response_type: 'code', scope: scopes });
  await page.goto(`${server}/oauth/authorize?${query.toString()}`);
  await allow(page);
  await page.waitForURL((url) => url.origin === origin);
  const code = new URL(page.url()).searchParams.get('code');
  const grant = { ...redirect, client_id, client_secret, grant_type: 'authorization_code', code, scope: scopes };
  const token = await request.post(`${server}/oauth/token`, { data: grant });
  return ((await token.json()) as { access_token: string }).access_token;
}

const allow = (page: Page): Promise<void> => page.locator('button[name=decision][value=allow]').click();
