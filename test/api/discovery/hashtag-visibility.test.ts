import { expect, test } from 'vitest';
import { startServer, type TestResponse, type TestUser } from '../../server.ts';
import { followAcross, twoServers } from '../../federation/two-servers.ts';

const staff = { role: 'admin', scopes: 'read write admin:read admin:write' } as const;

interface Reader {
  get(path: string): Promise<TestResponse>;
}

async function search(reader: Reader, text: string, options = ''): Promise<string[]> {
  const { json } = await reader.get(`/api/v2/search?type=hashtags&q=${encodeURIComponent(text)}${options}`);
  return json.hashtags.map(({ name }: { name: string }) => name);
}

/** Every way to ask for a hashtag by its name or beginning. */
async function isKnown(reader: Reader, name: string): Promise<boolean> {
  const answers = [
    (await search(reader, name.slice(0, -2))).length > 0,
    (await search(reader, name)).length > 0,
    (await search(reader, `#${name}`)).length > 0,
    (await reader.get(`/api/v1/tags/${name}`)).json.id !== '',
  ];
  expect(new Set(answers).size, `${name}: ${answers.join()}`).toBe(1);
  return answers[0] === true;
}

async function scene() {
  const server = await startServer();
  const [author, reader, follower] = [
    await server.user('author'),
    await server.user('reader'),
    await server.user('follower'),
  ];
  await follower.post(`/api/v1/accounts/${author.id}/follow`);
  return { server, author, reader, follower, everyone: [reader, follower, server.anonymous] as Reader[] };
}

const post = async (user: TestUser, status: string, visibility = 'public'): Promise<string> =>
  (await user.post('/api/v1/statuses', { status, visibility })).json.id;

test('TAG-02 SRC-02: hashtags of public and unlisted posts are known to everyone, those of others only to their author', async () => {
  const { server, author, everyone } = await scene();
  await using _ = server;
  for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
    await post(author, `#${visibility}heron`, visibility);
    const isOpen = visibility === 'public' || visibility === 'unlisted';
    expect(await isKnown(author, `${visibility}heron`), visibility).toBe(true);
    for (const reader of everyone) expect(await isKnown(reader, `${visibility}heron`), visibility).toBe(isOpen);
  }
});

test('TAG-02 SRC-02: a followed or featured hashtag is known to the one who follows or features it', async () => {
  const { server, author, everyone } = await scene();
  await using _ = server;
  await author.post('/api/v1/tags/followedheron/follow');
  await author.post('/api/v1/tags/featuredheron/feature');
  for (const name of ['followedheron', 'featuredheron']) {
    expect(await isKnown(author, name)).toBe(true);
    for (const reader of everyone) expect(await isKnown(reader, name)).toBe(false);
  }
  const { json } = await author.post('/api/v1/tags/followedheron/unfollow');
  expect(json).toMatchObject({ id: expect.stringMatching(/^\d+$/), following: false });
  expect(await isKnown(author, 'followedheron')).toBe(false);
});

test('TAG-02: a hashtag that the viewer may not know looks as unused by name, and does not exist by id', async () => {
  const { server, author, reader } = await scene();
  await using _ = server;
  await post(author, '#SecretHeron', 'private');
  const [secret, unused] = [
    (await reader.get('/api/v1/tags/secretheron')).json,
    (await reader.get('/api/v1/tags/unusedheron')).json,
  ];
  expect(secret).toEqual({ ...unused, name: 'secretheron', url: unused.url.replace('unused', 'secret') });
  const { id } = (await author.get('/api/v1/tags/secretheron')).json;
  for (const action of ['follow', 'unfollow', 'feature', 'unfeature'])
    expect((await reader.post(`/api/v1/tags/${id}/${action}`)).status, action).toBe(404);
  expect((await author.post(`/api/v1/tags/${id}/follow`)).json).toMatchObject({ id, following: true });
});

test('SRC-02: an edit that adds a hashtag makes it known, and its last public post takes it away', async () => {
  const { server, author, everyone, reader } = await scene();
  await using _ = server;
  await post(author, 'first #editedheron', 'private');
  const id = await post(author, 'no hashtag');
  for (const other of everyone) expect(await isKnown(other, 'editedheron')).toBe(false);
  await author.put(`/api/v1/statuses/${id}`, { status: 'now #editedheron' });
  for (const other of everyone) expect(await isKnown(other, 'editedheron')).toBe(true);
  await author.put(`/api/v1/statuses/${id}`, { status: 'not any more' });
  for (const other of everyone) expect(await isKnown(other, 'editedheron')).toBe(false);
  await author.put(`/api/v1/statuses/${id}`, { status: 'again #editedheron' });
  expect(await isKnown(reader, 'editedheron')).toBe(true);
  await author.delete(`/api/v1/statuses/${id}`);
  for (const other of everyone) expect(await isKnown(other, 'editedheron')).toBe(false);
  expect(await isKnown(author, 'editedheron')).toBe(true);
});

test('SRC-02: the hashtags of a reply that waits are known once it is published', async () => {
  const { server, author, reader } = await scene();
  await using _ = server;
  const ask = { manual_approval: ['public'] };
  const { id } = (await author.post('/api/v1/statuses', { status: 'Ask', interaction_policy: { can_reply: ask } }))
    .json;
  const asker = await server.user('asker');
  await asker.post('/api/v1/statuses', { status: '@author #waitingheron', in_reply_to_id: id });
  expect(await isKnown(reader, 'waitingheron')).toBe(false);
  const [request] = (await author.get('/api/v1/interaction_requests')).json;
  await author.post(`/api/v1/interaction_requests/${request.id}/authorize`);
  expect(await isKnown(reader, 'waitingheron')).toBe(true);
});

test('SRC-02: hashtags of a suspended account are not found', async () => {
  const { server, author, reader } = await scene();
  await using _ = server;
  await post(author, '#goneheron');
  expect(await isKnown(reader, 'goneheron')).toBe(true);
  const carol = await server.user('carol', staff);
  await carol.post(`/api/v1/admin/accounts/${author.id}/action`, { type: 'suspend' });
  expect(await isKnown(reader, 'goneheron')).toBe(false);
});

test('SRC-02: a reviewed hashtag is known to everyone, and the only kind with exclude_unreviewed', async () => {
  const { server, author, everyone, reader } = await scene();
  await using _ = server;
  const carol = await server.user('carol', staff);
  await post(author, '#reviewedheron', 'private');
  await post(author, '#reviewedgull');
  const { json } = await author.get('/api/v1/tags/reviewedheron');
  await carol.put(`/api/v1/admin/tags/${json.id}`, { listable: true });
  for (const other of everyone) expect(await isKnown(other, 'reviewedheron')).toBe(true);
  expect(await search(reader, 'reviewed', '&exclude_unreviewed=true')).toEqual(['reviewedheron']);
  expect(await search(author, 'reviewed')).toEqual(expect.arrayContaining(['reviewedheron', 'reviewedgull']));
});

test('SRC-02: staff see every hashtag in their list, but not in search', async () => {
  const { server, author } = await scene();
  await using _ = server;
  const carol = await server.user('carol', staff);
  await post(author, '#staffheron', 'direct');
  expect(await isKnown(carol, 'staffheron')).toBe(false);
  const { json } = await carol.get('/api/v1/admin/tags');
  expect(json.map(({ name }: { name: string }) => name)).toContain('staffheron');
});

test('SRC-02: very many hashtags of private posts do not hide public ones of the same beginning', async () => {
  const { server, author, reader } = await scene();
  await using _ = server;
  for (let page = 0; page < 5; page += 1)
    await post(author, Array.from({ length: 45 }, (__, at) => `#h${page}x${at}`).join(' '), 'private');
  await post(author, '#hamerkopandheron');
  expect(await search(reader, 'h')).toEqual(['hamerkopandheron']);
});

test('FED SRC-02: hashtags of remote posts for followers stay hidden', async () => {
  await using servers = await twoServers();
  const { network, b, alice, bob } = servers;
  await followAcross(servers, b, bob, 'alice@a.test');
  const stranger = await b.user('stranger');
  await post(alice, '#remotesecret', 'private');
  await post(alice, '#remoteheron');
  await network.drain();
  expect(await isKnown(stranger, 'remotesecret')).toBe(false);
  expect(await isKnown(stranger, 'remoteheron')).toBe(true);
});
