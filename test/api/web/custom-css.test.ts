import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { replacedRoutes } from '../../../server/pages/settings/replaced-routes.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { publishTermsOfService } from '../../../server/site/terms/index.ts';
import { createInvite } from '../../../server/users/invites/index.ts';
import { createOwnerSetupLink } from '../../../server/users/sign-up/index.ts';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer } from '../../server.ts';
import { ClientFolder } from './client-folder.ts';

const link = '<link rel="stylesheet" href="/custom.css" />';

/** The pages of public content, which load the stylesheet of staff. Every other page must not. */
const styledPages: ReadonlySet<string> = new Set([
  '/',
  '/@:username',
  '/@:username/:id',
  '/@:username/collections',
  '/@:username/media',
  '/@:username/tagged/:tag',
  '/@:username/with_replies',
  '/about',
  '/collections/:id',
  '/privacy-policy',
  '/tags/:name',
  '/terms-of-service',
  '/terms-of-service/:date',
]);

const pagePaths = routes
  .filter((route) => route.method === 'GET' && route.options.access === 'page' && !replacedRoutes.includes(route))
  .map(({ path }) => path);

/** Creates what the pages show. Returns the URL of each page by its path. */
async function createScene(server: TestServer): Promise<(path: string) => string> {
  const setup = new URL(String(await createOwnerSetupLink(server.app)));
  const alice = await server.user('alice', { role: 'admin' });
  const { json: status } = await alice.post('/api/v1/statuses', { status: 'A wren #birds' });
  const { json: collection } = await alice.post('/api/v1/collections', { name: 'Birds' });
  const code = await createInvite(server.app, 'system', { username: 'alice' });
  const date = await publishTermsOfService(server.app, 'system', { content: '<p>Be kind.</p>' });
  await changeSiteSettings(server.app, 'system', { customCss: 'input[value^="a"] { color: red }' });
  const values: Record<string, string> = {
    ':username': 'alice',
    ':tag': 'birds',
    ':name': 'birds',
    ':date': date,
    ':invite_code': code,
  };
  return (path) => {
    const id = path.startsWith('/collections') ? (collection.collection ?? collection).id : status.id;
    const url = path.replaceAll(/:\w+/g, (name) => values[name] ?? id).replace('*', 'x');
    return url === '/setup' ? `${setup.pathname}${setup.search}` : url;
  };
}

const hasSecret = (text: string): boolean => /<form|<input|<textarea|csrf-token/.test(text);

test('the stylesheet of staff is loaded by public content only, never beside a form, a token or a secret', async () => {
  using client = new ClientFolder();
  await using server = await startServer({ sweep: true, settings: { WEB_CLIENT_DIR: client.path } });
  const urlOf = await createScene(server);
  const opened: Record<string, string[]> = { visitor: [], user: [] };
  const styled: string[] = [];
  const browsers = { visitor: new Browser(server), user: new Browser(server) };
  await browsers.user.signIn('alice');
  for (const path of pagePaths) {
    for (const [kind, browser] of Object.entries(browsers)) {
      const { status, text, headers } = await browser.fetch('GET', urlOf(path), undefined, { accept: 'text/html' });
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      if (kind === 'user' && text.includes('id="app"')) {
        const simple = await browser.fetch('GET', `${urlOf(path)}?view=page`, undefined, { accept: 'text/html' });
        expect(simple.text, path).not.toContain('/custom.css');
      }
      if (status === 200) opened[kind]?.push(path);
      if (!text.includes('/custom.css')) continue;
      styled.push(path);
      expect([kind, text.includes(link), hasSecret(text)], path).toEqual(['visitor', true, false]);
    }
  }
  expect(styled).toEqual(pagePaths.filter((path) => styledPages.has(path)));
  expect([...styledPages].filter((path) => !opened['visitor']?.includes(path))).toEqual([]);
  for (const path of ['/setup', '/auth/sign_in', '/auth/sign_up', '/invite/:invite_code'])
    expect(opened['visitor'], path).toContain(path);
  const settings = pagePaths.filter((path) => path.startsWith('/settings') && !path.endsWith('/totp'));
  for (const path of [...settings, '/auth/edit', '/oauth/authorized_applications', '/device', '/share', '/preferences'])
    expect(opened['user'], path).toContain(path);
});

test('no stylesheet of staff reads a new TOTP secret, hides scopes, or styles an error', async () => {
  await using server = await startServer();
  await server.user('alice');
  await changeSiteSettings(server.app, 'system', { customCss: 'code { display: none }' });
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/settings/two_factor');
  await browser.submit('/settings/two_factor/totp', { current_password: 'correct horse battery' });
  expect([browser.path, browser.status]).toEqual(['/settings/two_factor/totp', 200]);
  expect(browser.text).toContain('otpauth://totp/');
  expect(browser.text).not.toContain('custom.css');
  const app = (
    await server.anonymous.post('/api/v1/apps', {
      client_name: 'App',
      redirect_uris: 'https://app.test/',
      scopes: 'read',
    })
  ).json;
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: 'https://app.test/',
    response_type: 'code',
    scope: 'read',
  });
  await browser.open(`/oauth/authorize?${query.toString()}`);
  expect(browser.text).toContain('action="/oauth/authorize"');
  expect(browser.text).not.toContain('custom.css');
  for (const path of ['/nowhere', '/@nobody', '/oauth/authorize']) {
    await browser.open(path);
    expect(browser.status, path).toBeGreaterThanOrEqual(400);
    expect(browser.text, path).not.toContain('custom.css');
  }
});
