import { expect, test } from 'vitest';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const everyone = { manual_approval: ['public'] };
const interaction_policy = { can_favourite: everyone, can_reply: everyone, can_reblog: everyone };

async function signedIn(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  return browser;
}

const defaults = async (user: TestUser) => (await user.get('/api/v1/interaction_policies/defaults')).json;

test('FED-02 default policies are chosen for each visibility; rules of apps are kept', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [followed, own] = [{ automatic_approval: ['following'] }, { automatic_approval: ['author'] }];
  await alice.patch('/api/v1/interaction_policies/defaults', {
    public: { can_reblog: followed },
    direct: { can_favourite: own },
  });
  const browser = await signedIn(server, 'alice');
  const page = '/settings/interactions';
  await browser.open(page);
  expect(browser.text.match(/<option value="custom" selected>/g)).toHaveLength(1);
  await browser.submit(page, { public_reply: 'followersOrAsk', public_favourite: 'nobody', private_reblog: 'ask' });
  expect(browser.text).toContain('Your changes were saved.');
  expect(await defaults(alice)).toMatchObject({
    public: {
      can_reply: { automatic_approval: ['author', 'followers'], manual_approval: ['public'] },
      can_favourite: { automatic_approval: ['author'], manual_approval: [] },
      can_reblog: { automatic_approval: ['author', 'following'], manual_approval: [] },
    },
    unlisted: { can_reply: { automatic_approval: ['public'], manual_approval: [] } },
    private: { can_reblog: { automatic_approval: ['author'], manual_approval: ['public'] } },
    direct: { can_favourite: { automatic_approval: ['author'], manual_approval: [] } },
  });
  const post = (await alice.post(statuses, { status: 'Hello' })).json;
  expect(post.interaction_policy.can_reply.manual_approval).toEqual(['public']);
  await browser.open(page);
  await browser.submit(page, { public_reblog: 'everyone', public_reply: 'followers' });
  expect(browser.text).not.toContain('value="custom"');
  expect((await defaults(alice)).public.can_reply).toMatchObject({ automatic_approval: ['author', 'followers'] });
});

test('FED-02 interactions are approved, rejected and revoked on a page, by the author only', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = (await alice.post(statuses, { status: 'Ask me', interaction_policy })).json;
  await bob.post(`${statuses}/${post.id}/favourite`);
  await bob.post(`${statuses}/${post.id}/reblog`);
  const reply = (await bob.post(statuses, { status: 'Hello <b>', in_reply_to_id: post.id })).json;
  const browser = await signedIn(server, 'alice');
  const page = '/settings/approvals';
  const waiting = (await alice.get('/api/v1/interaction_requests')).json as { id: string; type: string }[];
  const idOf = (kind: string): string => waiting.find(({ type }) => type === kind)?.id ?? '';
  const decide = async (action: string, id: string) => {
    await browser.open(page);
    await browser.submit(`${page}/${id}/${action}`);
  };
  await browser.open(page);
  for (const text of ['favourites your post', 'boosts your post', 'replies to your post', 'Hello &lt;b&gt;', '@bob'])
    expect(browser.text).toContain(text);
  await decide('authorize', idOf('reply'));
  await decide('authorize', idOf('favourite'));
  await decide('reject', idOf('reblog'));
  const counts = async () => {
    const { favourites_count, reblogs_count, replies_count } = (await bob.get(`${statuses}/${post.id}`)).json;
    return [favourites_count, reblogs_count, replies_count];
  };
  expect(await counts()).toEqual([1, 0, 1]);
  const other = await signedIn(server, 'bob');
  await other.open(page);
  expect(other.text).not.toContain('Hello');
  await bob.post(statuses, { status: 'Mine', interaction_policy }).then(async ({ json: { id } }) => {
    await alice.post(`${statuses}/${id}/favourite`);
  });
  await other.open(page);
  const foreign = await other.send(`${page}/${idOf('reblog')}/authorize`, other.hiddenFields('/auth/sign_out'));
  expect(foreign.status).toBe(422);
  expect(await counts()).toEqual([1, 0, 1]);
  await decide('revoke', idOf('reply'));
  await decide('revoke', idOf('favourite'));
  expect(await counts()).toEqual([0, 0, 0]);
  expect((await bob.get(`${statuses}/${reply.id}`)).json.in_reply_to_id).toBeNull();
  await browser.open(page);
  expect(browser.text.match(/None\./g)).toHaveLength(2);
});
