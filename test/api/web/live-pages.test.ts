import { expect, test } from 'vitest';
import { Browser } from '../../browser.ts';
import { startServer } from '../../server.ts';
import { ClientFolder } from './client-folder.ts';

const script = '<script type="module"';
const paths = ['/public', '/public/local', '/public/remote', '/explore', '/explore/tags', '/explore/links'];

test('TML-02: visitors read the public timelines and trends as pages if the site shows them', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let number = 1; number <= 21; number += 1) {
    await alice.post('/api/v1/statuses', { status: `Post number ${number}.` });
    server.clock.advance(1);
  }
  const visitor = new Browser(server);
  for (const path of paths) {
    await visitor.open(path);
    expect([visitor.status, visitor.path], path).toEqual([200, path]);
    expect(visitor.text, path).toContain('<main id="content"');
    expect(visitor.text, path).toContain(`href="${path}" aria-current="page"`);
  }
  for (const path of ['/public', '/public/local']) {
    await visitor.open(path);
    expect(visitor.text).toContain('Post number 21.');
    expect(visitor.text).not.toContain('Post number 1.');
    const [, older] = /href="([^"]+)" rel="next"/.exec(visitor.text) ?? [];
    await visitor.open((older ?? '').replaceAll('&amp;', '&'));
    expect(visitor.text).toContain('Post number 1.');
    expect(visitor.text).not.toContain('rel="next"');
  }
  await visitor.open('/public/remote');
  expect(visitor.text).toContain('No public posts yet.');
  await visitor.open('/explore/nothing');
  expect(visitor.status).toBe(404);
  await visitor.open('/explore/people');
  expect(visitor.path).toBe('/auth/sign_in?return_to=%2Fexplore%2Fpeople');
});

test.each([{ PUBLIC_PREVIEW: 'off' }, { LIMITED_FEDERATION: 'on' }])('%j: visitors sign in first', async (settings) => {
  await using server = await startServer({ settings });
  const hidden = 'PUBLIC_PREVIEW' in settings ? paths.filter((path) => path.startsWith('/public')) : paths;
  for (const path of hidden) {
    const { status, headers } = await server.anonymous.get(path);
    expect([status, headers['location']], path).toEqual([303, `/auth/sign_in?return_to=${encodeURIComponent(path)}`]);
  }
});

test('signed-in users get the client at these addresses and at those that do not exist, visitors the page of the error', async () => {
  using folder = new ClientFolder();
  await using server = await startServer({ settings: { WEB_CLIENT_DIR: folder.path } });
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  for (const path of paths) {
    await browser.open(path);
    expect(browser.text, path).toContain(script);
  }
  await browser.open('/no/such/page');
  expect(browser.status).toBe(404);
  expect(browser.text).toContain(script);
  await browser.open('/no/such/page?view=page');
  expect(browser.status).toBe(404);
  expect(browser.text).not.toContain(script);
  const visitor = new Browser(server);
  await visitor.open('/no/such/page');
  expect(visitor.status).toBe(404);
  expect(visitor.text).not.toContain(script);
  expect((await server.anonymous.get('/api/v1/no/such/route')).status).toBe(404);
});
