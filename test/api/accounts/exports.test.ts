import { expect, test } from 'vitest';
import { form, startServer } from '../../server.ts';

const exports = '/api/v1/fieldfare/exports';

test('an account exports what it holds in the format of Mastodon, and nothing of others', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const domain = server.app.config.domain;
  await alice.post(`/api/v1/accounts/${bob.id}/follow`, { reblogs: false, notify: true, languages: ['en', 'de'] });
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  await alice.post(`/api/v1/accounts/${carol.id}/mute`, { notifications: false });
  await bob.post(`/api/v1/accounts/${carol.id}/block`);
  await alice.post('/api/v1/domain_blocks', form({ domain: 'spam.test' }));
  const list = await alice.post('/api/v1/lists', { title: 'Friends, near' });
  await alice.post(`/api/v1/lists/${list.json.id}/accounts`, { account_ids: [bob.id] });
  const post = await bob.post('/api/v1/statuses', { status: 'worth keeping' });
  await alice.post(`/api/v1/statuses/${post.json.id}/bookmark`);

  const { json: counts } = await alice.get(exports);
  expect(counts).toEqual({
    following: 1,
    followers: 1,
    lists: 1,
    blocks: 0,
    mutes: 1,
    domain_blocks: 1,
    bookmarks: 1,
  });
  const read = async (type: string) => {
    const response = await alice.get(`${exports}/${type}`);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    return response.text;
  };
  expect(await read('following')).toBe(
    `Account address,Show boosts,Notify on new posts,Languages\nbob@${domain},false,true,"en, de"\n`,
  );
  expect(await read('followers')).toBe(`Account address\ncarol@${domain}\n`);
  expect(await read('lists')).toBe(`"Friends, near",bob@${domain}\n`);
  expect(await read('mutes')).toBe(`Account address,Hide notifications\ncarol@${domain},false\n`);
  expect(await read('domain_blocks')).toBe('spam.test\n');
  expect(await read('bookmarks')).toBe(`${post.json.uri}\n`);
  expect(await read('blocks')).toBe('');
  expect((await bob.get(`${exports}/blocks`)).text).toBe(`carol@${domain}\n`);
  const { headers } = await alice.get(`${exports}/blocks`);
  expect(headers['content-disposition']).toBe('attachment; filename="blocked_accounts.csv"');
});

test('exports need a user and the scope read', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await server.anonymous.get(`${exports}/following`)).status).toBe(401);
  const writer = await server.withScopes(alice, 'write');
  for (const path of [exports, `${exports}/bookmarks`]) expect((await writer.get(path)).status).toBe(403);
  expect((await alice.get(`${exports}/passwords`)).status).toBe(422);
});
