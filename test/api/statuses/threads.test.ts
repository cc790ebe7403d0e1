import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Peer } from '../../federation/peer.ts';
import { Network } from '../../network.ts';
import { form, multipart, startServer, type TestUser } from '../../server.ts';
import { TestSocket } from '../../streams.ts';

const threads = '/api/v1/fieldfare/threads';
const statuses = '/api/v1/statuses';

interface Posted {
  readonly id: string;
  readonly in_reply_to_id: string | null;
  readonly content: string;
}

const listPosts = async (user: TestUser): Promise<Posted[]> =>
  (await user.get(`/api/v1/accounts/${user.id}/statuses`)).json as Posted[];

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

async function upload(user: TestUser): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file }))).json.id as string;
}

test('a thread is published with one request, each post a reply to the one before', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const parent = (await bob.post(statuses, { status: 'Who knows birds?', visibility: 'unlisted' })).json.id as string;
  const file = await upload(alice);
  const response = await alice.post(threads, {
    in_reply_to_id: parent,
    posts: [
      { status: '@bob me #birds', visibility: 'unlisted', language: 'en' },
      { status: 'Look', media_ids: [file], spoiler_text: 'feathers', sensitive: true },
      { status: 'Which one?', poll: { options: ['a', 'b'], expires_in: 600 }, quote_approval_policy: 'nobody' },
    ],
  });
  expect(response.status, response.text).toBe(200);
  const [first, second, third] = response.json;
  expect(response.json).toMatchObject([
    { in_reply_to_id: parent, visibility: 'unlisted', language: 'en', tags: [{ name: 'birds' }] },
    {
      in_reply_to_id: first.id,
      visibility: 'unlisted',
      spoiler_text: 'feathers',
      media_attachments: [{ id: file }],
      application: { name: 'Test app' },
    },
    { in_reply_to_id: second.id, visibility: 'unlisted', poll: { options: [{ title: 'a' }, { title: 'b' }] } },
  ]);
  await server.drain();
  const context = (await bob.get(`${statuses}/${parent}/context`)).json;
  expect(context.descendants.map(({ id }: Posted) => id)).toEqual([first.id, second.id, third.id]);
  expect((await bob.get(`${statuses}/${parent}`)).json.replies_count).toBe(1);
  expect((await bob.get(`${statuses}/${first.id}`)).json.replies_count).toBe(1);
  expect((await bob.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(3);
  expect((await bob.get('/api/v1/notifications')).json).toMatchObject([{ type: 'mention', status: { id: first.id } }]);
});

test('a thread that starts a conversation is one conversation, also when it is direct', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const posts = [{ status: '@bob one', visibility: 'direct' }, { status: '@bob two' }, { status: '@bob three' }];
  const ids = (await alice.post(threads, { posts })).json.map(({ id }: Posted) => id) as string[];
  await server.drain();
  expect((await bob.get('/api/v1/conversations')).json).toMatchObject([
    { unread: true, last_status: { id: ids[2], visibility: 'direct' } },
  ]);
  const notified = (await bob.get('/api/v1/notifications')).json as { status: Posted }[];
  expect(notified.map(({ status }) => status.id)).toEqual(ids.toReversed());
  await bob.post(`${statuses}/${ids[0]}/mute`);
  expect((await bob.get(`${statuses}/${ids[2]}`)).json.muted).toBe(true);
});

test('the text of a post may be named text, as drafts return it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post(threads, { posts: [{ text: 'one' }, { text: 'old', status: 'two' }] });
  expect(json.map(({ content }: Posted) => content)).toEqual(['<p>one</p>', '<p>two</p>']);
});

test('one invalid post refuses the whole thread, and each error names the post and the field', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const secret = (await bob.post(statuses, { status: 'Secret', visibility: 'direct' })).json.id as string;
  const foreign = await upload(bob);
  const publish = async (posts: object[], more: object = {}) => {
    const { status, json } = await alice.post(threads, { posts: [{ status: 'Fine' }, ...posts], ...more });
    return [status, Object.keys(json.details ?? {}), json.error];
  };
  expect(
    await publish([{ status: ' ' }, { status: 'x', poll: { options: ['a'] } }, { status: 'a'.repeat(501) }]),
  ).toEqual([
    422,
    ['posts[1].status', 'posts[2].poll', 'posts[3].status'],
    "Validation failed: posts[1].status: Text can't be blank, posts[2].poll: Options must have more than one item, posts[3].status: Text character limit of 500 exceeded",
  ]);
  const failing: [object, string, object?][] = [
    [{ status: 'x', language: 'klingon' }, 'posts[1].language'],
    [{ status: 'x', quoted_status_id: 'x' }, 'posts[1].quoted_status_id'],
    [{ status: 'x', quoted_status_id: secret }, 'posts[1].quoted_status_id'],
    [{ status: 'x', media_ids: [foreign] }, 'posts[1].media_ids'],
    [{ status: 'x', media_ids: ['1', '2', '3', '4', '5'] }, 'posts[1].media_ids'],
    [{ status: '@bob', allowed_mentions: [] }, 'posts[1].allowed_mentions'],
    [{ status: 'x' }, 'in_reply_to_id', { in_reply_to_id: secret }],
    [{ status: 'x' }, 'in_reply_to_id', { in_reply_to_id: 'x' }],
    [{ status: 'x' }, 'scheduled_at', { scheduled_at: '2999-01-01T00:00:00Z' }],
  ];
  for (const [post, field, more] of failing) {
    expect((await publish([post], more)).slice(0, 2), JSON.stringify(post)).toEqual([422, [field]]);
  }
  const mentions = await alice.post(threads, { posts: [{ status: '@bob', allowed_mentions: [] }] });
  expect(mentions.json.unexpected_accounts).toMatchObject([{ username: 'bob' }]);
  expect(await publish([{ status: 'x', visibility: 'secret' }])).toEqual([
    422,
    ['posts[1].visibility'],
    'Validation failed: posts[1].visibility must be one of public, unlisted, private, direct',
  ]);
  expect((await alice.post(threads, { posts: [] })).json.details).toHaveProperty('posts');
  const tooMany = await alice.post(threads, { posts: Array.from({ length: 21 }, () => ({ status: 'x' })) });
  expect([tooMany.status, tooMany.json.details.posts[0].error]).toEqual([422, 'ERR_TOO_LONG']);
  expect((await alice.post(threads, {})).status).toBe(400);
  await server.drain();
  expect(await listPosts(alice)).toEqual([]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(0);
});

test('STA-10: a thread with an idempotency key is published once, also by simultaneous requests', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posts = [{ status: 'one' }, { status: 'two' }];
  const sent = await Promise.all([1, 2, 3].map(() => alice.post(threads, { posts }, keyed('k'))));
  const idsOf = (response: { json: Posted[] }) => response.json.map(({ id }) => id);
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(sent.map((response) => idsOf(response).join(' '))).size).toBe(1);
  expect(await listPosts(alice)).toHaveLength(2);
  // The key of a thread also holds for a single post, and the reverse.
  const [rootId] = idsOf(sent[0] as { json: Posted[] });
  expect((await alice.post(statuses, { status: 'x' }, keyed('k'))).json.id).toBe(rootId);
  const single = (await alice.post(statuses, { status: 'single' }, keyed('s'))).json.id as string;
  expect(idsOf(await alice.post(threads, { posts }, keyed('s')))).toEqual([single]);
  server.clock.advance(3_601);
  const again = idsOf(await alice.post(threads, { posts }, keyed('k')));
  expect(again).toHaveLength(2);
  expect(again).not.toContain(rootId);
  server.clock.advance(3_601);
  const reused = (await alice.post(statuses, { status: 'reused' }, keyed('k'))).json.id as string;
  expect(idsOf(await alice.post(threads, { posts }, keyed('k')))).toEqual([reused]);
});

test('each post of a thread counts against the rate limit', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'true' } });
  const alice = await server.user('alice');
  const posts = Array.from({ length: 20 }, (_, index) => ({ status: `part ${index}` }));
  for (let count = 0; count < 15; count += 1) expect((await alice.post(threads, { posts })).status).toBe(200);
  expect((await alice.post(threads, { posts })).status).toBe(429);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(300);
});

test('a thread that is refused counts as one request, however many posts it has', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'true' } });
  const alice = await server.user('alice');
  const posts = Array.from({ length: 20 }, (_, index) => ({ status: `part ${index}` }));
  for (let count = 0; count < 10; count += 1) {
    expect((await alice.post(threads, { posts: [...posts.slice(1), { status: ' ' }] })).status).toBe(422);
  }
  for (let count = 0; count < 14; count += 1) expect((await alice.post(threads, { posts })).status).toBe(200);
  expect((await alice.post(threads, { posts: posts.slice(10) })).status).toBe(200);
  expect((await alice.post(statuses, { status: 'one more' })).status).toBe(429);
});

test('a thread needs a token with the scope, and a form body works', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posts = [{ status: 'Hello' }];
  expect((await server.anonymous.post(threads, { posts })).status).toBe(401);
  expect((await (await server.withScopes(alice, 'read')).post(threads, { posts })).status).toBe(403);
  const writer = await server.withScopes(alice, 'write:statuses');
  const { json } = await writer.post(
    threads,
    form('posts[][status]=one&posts[][status]=two&posts[][visibility]=private'),
  );
  expect(json.map(({ visibility }: { visibility: string }) => visibility)).toEqual(['public', 'private']);
});

test('the posts of a thread reach open streams in order', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  const stream = await TestSocket.open(server, bob, 'stream=user');
  const posts = Array.from({ length: 12 }, (_, index) => ({ status: `part ${index}` }));
  const published = (await alice.post(threads, { posts })).json as Posted[];
  const sent = (await stream.take()).map(({ event, payload }) => [event, JSON.parse(payload).id]);
  expect(sent).toEqual(published.map(({ id }) => ['update', id]));
  stream.close();
});

test('FED-06: the posts of a thread reach another server in order, even if a delivery fails in between', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const alice = await server.user('alice');
  const peer = new Peer(network, 'peer.test');
  const fan = peer.actor('fan');
  await fan.send(server, fan.activity('Follow', 'https://a.test/users/alice'));
  await server.drain();
  peer.received.length = 0;
  const accepted: string[] = [];
  let failures = 2;
  peer.respond = ({ object }) => {
    const { id } = object as { id: string };
    if (accepted.length === 2 && (failures -= 1) >= 0) return { status: 500 };
    accepted.push(id.split('/').at(-1) ?? '');
    return { status: 202 };
  };
  const posts = Array.from({ length: 6 }, (_, index) => ({ status: `part ${index}` }));
  const published = (await alice.post(threads, { posts })).json as Posted[];
  for (let count = 0; count < 4; count += 1) {
    await server.drain();
    server.clock.advance(2 * 3_600);
  }
  await server.drain();
  expect(failures).toBeLessThan(1);
  expect(accepted).toEqual(published.map(({ id }) => id));
});

test('the posts of a thread appear in order in the homes of another server', async () => {
  await using network = new Network();
  const [here, there] = [await network.start('here.test'), await network.start('there.test')];
  const [alice, bob] = [await here.user('alice'), await there.user('bob')];
  const found = await bob.get('/api/v2/search?q=@alice@here.test&resolve=true');
  await bob.post(`/api/v1/accounts/${found.json.accounts[0].id}/follow`);
  await network.drain();
  const posts = Array.from({ length: 8 }, (_, index) => ({ status: `part ${index}` }));
  expect((await alice.post(threads, { posts })).status).toBe(200);
  network.clock.advance(1);
  await network.drain();
  const home = (await bob.get('/api/v1/timelines/home')).json as Posted[];
  expect(home.map(({ content }) => content)).toEqual(posts.map(({ status }) => `<p>${status}</p>`).toReversed());
});

test('a thread is a chain for every combination of visibilities', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const visibility = fc.constantFrom('public', 'unlisted', 'private', 'direct', undefined);
  await fc.assert(
    fc.asyncProperty(fc.array(visibility, { minLength: 1, maxLength: 6 }), async (visibilities) => {
      const posts = visibilities.map((each, index) => ({ status: `part ${index}`, visibility: each }));
      const { status, json } = await alice.post(threads, { posts });
      expect(status).toBe(200);
      const shown = json as (Posted & { visibility: string })[];
      expect(shown.map((each) => each.in_reply_to_id)).toEqual([null, ...shown.slice(0, -1).map(({ id }) => id)]);
      let expected = 'public';
      for (const [index, each] of visibilities.entries()) {
        expected = each ?? expected;
        expect(shown[index]?.visibility).toBe(expected);
      }
    }),
    { numRuns: 15 },
  );
});
