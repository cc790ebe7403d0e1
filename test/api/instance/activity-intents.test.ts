import { expect, test } from 'vitest';
import { Browser } from '../../browser.ts';
import { startServer } from '../../server.ts';

test('FEP-3b86: WebFinger names the pages for interactions, which visitors reach after signing in', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { json: post } = await bob.post('/api/v1/statuses', { status: 'like me' });
  const { json: jrd } = await server.anonymous.get('/.well-known/webfinger?resource=acct:alice@fieldfare.test');
  const templates = new Map<string, string>(
    jrd.links.map(({ rel, template }: Record<string, string>) => [
      rel?.replace('https://w3id.org/fep/3b86/', ''),
      template,
    ]),
  );
  expect(templates.get('Create')).toBe('https://fieldfare.test/share?text={content}');
  expect(templates.get('Object')).toBe('https://fieldfare.test/authorize_interaction?uri={object}');
  const intent = (name: string, value: string) =>
    (templates.get(name) ?? '').replace('https://fieldfare.test', '').replace(/\{\w+\}/, encodeURIComponent(value));

  const browser = new Browser(server);
  await browser.open(intent('Like', post.uri));
  expect(browser.path).toMatch(/^\/auth\/sign_in/);
  await browser.submit('/auth/sign_in', { email: 'alice', password: 'correct horse battery' });
  expect(browser.path).toBe(intent('Like', post.uri));
  expect(browser.text).toMatch(/<button\s+name="action" value="favourite">/);
  expect(browser.text).toMatch(/<button class="quiet" name="action" value="reblog">/);
  // Opening a page does nothing yet.
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json.favourites_count).toBe(0);
  const forged = await browser.send('/authorize_interaction/status', { id: post.id, action: 'favourite' });
  expect(forged.status).toBe(422);
  await browser.submit('/authorize_interaction/status', { action: 'favourite' });
  await browser.open(intent('Announce', post.uri));
  expect(browser.text).toMatch(/<button\s+name="action" value="reblog">/);
  await browser.submit('/authorize_interaction/status', { action: 'reblog' });
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({ favourites_count: 1, reblogs_count: 1 });

  await browser.open(intent('Follow', 'https://fieldfare.test/users/bob'));
  await browser.submit('/authorize_interaction/account', { action: 'follow' });
  expect((await alice.get(`/api/v1/accounts/${alice.id}/following`)).json).toMatchObject([{ username: 'bob' }]);
  await browser.open(intent('Create', 'a <text> & more'));
  expect(browser.text).toContain('a &lt;text&gt; &amp; more</textarea>');
  await browser.open(`/authorize_interaction?uri=${encodeURIComponent(post.uri)}&action=reply`);
  expect(browser.path).toBe(`/share?in_reply_to_id=${post.id}`);
});

test('actions on pages count against the same budgets as those of apps', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  const alice = await server.user('alice');
  await server.user('bob');
  const browser = new Browser(server);
  await browser.signIn('alice');
  const budget = 400;
  const take = () => server.app.rateLimiter.take(`follows:${alice.id}`, budget, 86_400);
  const follow = async () => {
    await browser.open('/authorize_interaction?uri=bob@fieldfare.test');
    await browser.submit('/authorize_interaction/account', { action: 'follow' });
    return browser.status;
  };
  expect([await follow(), (await take()).remaining]).toEqual([200, budget - 2]);
  for (let count = 2; count < budget; count += 1) await take();
  expect(await follow()).toBe(429);
  expect(browser.text).toContain('Too many requests');
});
