import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer } from '../../server.ts';

/** Creates users who can sign in but not use the server, and returns their usernames. */
async function createInactiveUsers(server: TestServer): Promise<string[]> {
  await server.user('unapproved', { approved: false });
  await server.user('unconfirmed', { confirmed: false });
  const { userId } = await server.user('disabled');
  await server.db.updateTable('users').set({ disabled: true }).where('id', '=', userId).execute();
  return ['unapproved', 'unconfirmed', 'disabled'];
}

test('FED-05: on web pages, unapproved, unconfirmed and disabled users see what anonymous visitors see', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await bob.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const { json: status } = await alice.post('/api/v1/statuses', { status: 'only for us #birds' });
  const created = await alice.post('/api/v1/collections', { name: 'Only for us', account_ids: [bob.id] });
  const report = { year: 2025, schema_version: 2, data: '{}', share_key: 'key', created_at: server.clock.now() };
  await server.db
    .insertInto('annual_reports')
    .values({ account_id: alice.id, ...report })
    .execute();
  const urls: Record<string, string> = {
    '/@:username': '/@alice',
    '/@:username.json': '/@alice.json',
    '/@:username/with_replies': '/@alice/with_replies',
    '/@:username/media': '/@alice/media',
    '/@:username/tagged/:tag': '/@alice/tagged/birds',
    '/@:username.rss': '/@alice.rss',
    '/@:username/with_replies.rss': '/@alice/with_replies.rss',
    '/@:username/media.rss': '/@alice/media.rss',
    '/@:username/tagged/:tag.rss': '/@alice/tagged/birds.rss',
    '/@:username/collections': '/@alice/collections',
    '/@:username/wrapstodon/:year/:share_key': '/@alice/wrapstodon/2025/key',
    '/@:username/statuses/:ulid': '/@alice/statuses/01HFZ8N3G0000000000000000A',
    '/@:username/:id': `/@alice/${status.id}`,
    '/@:username/:id.json': `/@alice/${status.id}.json`,
    '/@:username/:id/embed': `/@alice/${status.id}/embed`,
    '/tags/:name': '/tags/birds',
    '/tags/:name.rss': '/tags/birds.rss',
    '/collections/:id': `/collections/${created.json.collection.id}`,
  };
  // The shell of the web client has no content.
  const pages = routes.filter(
    ({ method, path, options }) =>
      method === 'GET' && /^\/(@|tags\/|collections\/)/.test(path) && !options.summary.endsWith('in the web client'),
  );
  expect(pages.map(({ path }) => path).filter((path) => !(path in urls))).toEqual([]);
  const names = [undefined, ...(await createInactiveUsers(server))];
  const live = ['/public', '/public/local', '/public/remote', '/explore', '/explore/tags'];
  for (const url of ['/', ...live, ...Object.values(urls), '/@someone@far.test']) {
    for (const name of names) {
      const browser = new Browser(server);
      if (name !== undefined) await browser.signIn(name);
      await browser.open(url);
      expect(browser.text, `${url} for ${name}`).not.toMatch(/only for us/i);
      if (url === '/' || /\/embed$|\.(?:rss|json)$/.test(url)) continue;
      const entry = name === undefined ? '/auth/sign_in' : '/auth/setup';
      expect([url, name, browser.path.split('?')[0]]).toEqual([url, name, entry]);
    }
  }
  const member = new Browser(server);
  await member.signIn('bob');
  await member.open('/@alice');
  expect(member.text).toContain('only for us');
});

test('the start page does not greet unapproved, unconfirmed and disabled users', async () => {
  await using server = await startServer();
  for (const name of await createInactiveUsers(server)) {
    const browser = new Browser(server);
    await browser.signIn(name);
    await browser.open('/');
    expect(browser.text).not.toContain('You are signed in as');
  }
});
