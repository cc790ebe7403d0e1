import sharp from 'sharp';
import { expect, test } from 'vitest';
import { multipart, startServer, type TestServer, type TestUser } from '../server.ts';
import { addRule } from './moderation-rules.ts';

const path = '/api/v1/fieldfare/admin/moderation_rules';
const refusal = 'Validation failed: A moderation rule of this server does not allow this post';

const createStaff = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'read admin:read admin:write' });

const post = (user: TestUser, status: string, more: object = {}) => user.post('/api/v1/statuses', { status, ...more });

/** Whether a post is accepted. */
const isAccepted = async (user: TestUser, status: string, more: object = {}): Promise<boolean> =>
  (await post(user, status, more)).status === 200;

test('ADM-05: staff add, show, change and delete moderation rules', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const conditions = {
    text: { keywords: ['Casino', ' free  money '], whole_word: true },
    links: { domains: ['Spam.Example'], at_least: 2 },
    account_younger_than: 48,
    strangers_at_least: 3,
    media_hashes: ['UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH'],
    domains: ['bücher.example'],
    languages: ['en'],
    rate: { more_than: 5, seconds: 600 },
  };
  const created = await staff.post(path, { title: ' Spam ', conditions, actions: ['reject', 'reject'], score: 50 });
  const now = server.clock.now().toISOString();
  const rule = {
    id: created.json.id,
    title: 'Spam',
    enabled: false,
    subject: 'post',
    origin: 'local',
    conditions: {
      ...conditions,
      text: { keywords: ['Casino', 'free  money'], whole_word: true },
      links: { domains: ['spam.example'], at_least: 2 },
      domains: ['xn--bcher-kva.example'],
    },
    actions: ['reject'],
    score: 50,
    created_at: now,
    updated_at: now,
  };
  expect([created.status, created.json]).toEqual([200, rule]);
  expect((await staff.get(`${path}/${rule.id}`)).json).toEqual(rule);
  expect((await staff.get(path)).json).toEqual([rule]);
  const changes = { enabled: true, conditions: { languages: ['de'] }, origin: 'any' };
  expect((await staff.put(`${path}/${rule.id}`, changes)).json).toEqual({ ...rule, ...changes });
  expect((await staff.delete(`${path}/${rule.id}`)).json).toEqual({});
  for (const [method, url] of [
    ['GET', `${path}/${rule.id}`],
    ['PUT', `${path}/${rule.id}`],
    ['DELETE', `${path}/${rule.id}`],
    ['GET', `${path}/${rule.id}/matches`],
  ] as const) {
    expect((await staff.call(method, url, method === 'PUT' ? {} : undefined)).status).toBe(404);
  }
  const entries = await server.app.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual([
    'moderation_rule.create',
    'moderation_rule.update',
    'moderation_rule.delete',
  ]);
  expect(entries[1]).toMatchObject({ before: { enabled: false, origin: 'local' }, after: changes });
});

test.for([
  [{ title: ' ' }, "Title can't be blank"],
  [{ title: 'x'.repeat(201) }, 'Title is too long'],
  [{ actions: [] }, 'Actions must have at least one item'],
  [{ actions: ['ban'] }, 'actions'],
  [{ subject: 'boost' }, 'subject'],
  [{ origin: 'moon' }, 'origin'],
  [{ score: 0 }, 'Score must be a number from 1 to 100'],
  [{ conditions: {} }, "Conditions can't be blank"],
  [{ conditions: { txt: { keywords: ['casino'] } } }, 'Conditions.txt is not a known condition'],
  [{ conditions: { text: { keywords: ['a'], regex: 'a+' } } }, 'Conditions.text.regex is not a known condition'],
  [{ conditions: { text: { keywords: [] } } }, 'Conditions.text.keywords must have at least one item'],
  [{ conditions: { text: { keywords: ['\u200b'] } } }, "Conditions.text.keywords can't be blank"],
  [{ conditions: { text: { keywords: ['x'.repeat(201)] } } }, 'Conditions.text.keywords is too long'],
  [{ conditions: { text: { keywords: Array.from({ length: 201 }, (_, at) => `w${at}`) } } }, 'are too many'],
  [{ conditions: { links: {} } }, "Conditions.links can't be blank"],
  [{ conditions: { links: { domains: ['no domain'] } } }, 'Conditions.links.domains is not a valid domain name'],
  [{ conditions: { domains: ['..'] } }, 'Conditions.domains is not a valid domain name'],
  [{ conditions: { media_hashes: ['not one'] } }, 'media hashes must be BlurHashes'],
  [{ conditions: { languages: ['xx-nowhere'] } }, 'Conditions.languages contains an unknown language code'],
  [
    { conditions: { languages: ['en'], account_younger_than: 'soon' } },
    'Conditions.account younger than must be a number',
  ],
  [{ conditions: { account_younger_than: 0 } }, 'must be a number from 1'],
  [{ conditions: { rate: { more_than: 1, seconds: 90_000 } } }, 'Conditions.rate.seconds must be a number from 1'],
] as const)('ADM-05: an invalid moderation rule is refused and its field named: %j', async ([change, error]) => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const valid = { title: 'Spam', conditions: { languages: ['en'] }, actions: ['reject'] };
  const { status, json } = await staff.post(path, { ...valid, ...change });
  expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
});

test('ADM-05: a local post that a rule refuses is 422 and not stored; staff see the match', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  const { id } = await addRule(server);
  const { status, json } = await post(alice, 'Win at the CAS\u200bINO!', { visibility: 'direct' });
  expect([status, json.error]).toEqual([422, refusal]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json).toEqual([]);
  expect((await staff.get(`${path}/${id}/matches`)).json).toEqual([
    {
      id: expect.any(String),
      rule_id: id,
      account_id: alice.id,
      target_type: 'status',
      target_id: null,
      uri: null,
      actions: ['reject'],
      excerpt: 'Win at the CAS\u200bINO!',
      effects: {},
      undone_at: null,
      created_at: server.clock.now().toISOString(),
    },
  ]);
  await staff.put(`${path}/${id}`, { enabled: false });
  expect(await isAccepted(alice, 'Casino')).toBe(true);
});

test.each([
  ['strokes', 'c\u0336a\u0336s\u0336i\u0336n\u0336o\u0336', false],
  ['a pile of marks', 'c\u0353\u033da\u0353\u033ds\u0353i\u0353n\u0353\u033do', false],
  ['the same mark on each letter', 'c\u0307ȧṡi\u0307ṅȯ', false],
  ['variation selectors', 'ca\ufe0fsi\ufe0fno', false],
  ['mathematical letters', '𝓬𝓪𝓼𝓲𝓷𝓸', false],
  ['letters in circles', 'ⓒⓐⓢⓘⓝⓞ', false],
  ['letters with an accent', 'casiño', true],
])('ADM-05: a keyword and a word with %s', async (_name, text, accepted) => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addRule(server);
  expect(await isAccepted(alice, `Win at the ${text}!`)).toBe(accepted);
});

test('ADM-05: warnings, polls, descriptions, scheduled posts, threads, drafts and edits are compared too', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addRule(server);
  const poll = { options: ['Yes', 'The casino'], expires_in: 3_600 };
  expect(await isAccepted(alice, 'Which one?', { poll })).toBe(false);
  expect(await isAccepted(alice, 'Hello', { spoiler_text: 'casino' })).toBe(false);
  expect(await isAccepted(alice, '**cas**ino', { content_type: 'text/markdown' })).toBe(false);
  const scheduledAt = new Date(server.clock.now().getTime() + 600_000).toISOString();
  expect(await isAccepted(alice, 'casino', { scheduled_at: scheduledAt })).toBe(false);
  const thread = await alice.post('/api/v1/fieldfare/threads', {
    posts: [{ status: 'One' }, { status: 'Casino' }],
  });
  expect([thread.status, Object.keys(thread.json.details)]).toEqual([422, ['posts[1].status']]);
  const { id } = (await post(alice, 'Harmless')).json;
  expect((await alice.put(`/api/v1/statuses/${id}`, { status: 'Casino' })).status).toBe(422);
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.content).toBe('<p>Harmless</p>');
  expect((await alice.get('/api/v1/scheduled_statuses')).json).toEqual([]);
});

test('ADM-05: a rule matches only if all of its conditions hold', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (const name of ['carol', 'dave']) await server.user(name);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const expectRefused = async (conditions: object, refused: string, accepted: string, more: object = {}) => {
    const { id } = await addRule(server, { conditions });
    expect([await isAccepted(alice, refused, more), await isAccepted(alice, accepted, more)]).toEqual([false, true]);
    await server.db.deleteFrom('moderation_rules').where('id', '=', id).execute();
  };
  await expectRefused({ text: { keywords: ['ass'], whole_word: true } }, 'An ass!', 'A class');
  await expectRefused(
    { links: { domains: ['spam.example'] } },
    'See https://www.spam.example/x',
    'See https://notspam.example/',
  );
  await expectRefused({ links: { at_least: 2 } }, 'https://a.example https://b.example', 'https://a.example #tag @bob');
  await expectRefused({ strangers_at_least: 2 }, 'Hi @carol @dave', 'Hi @bob @carol @alice');
  await expectRefused({ strangers_at_least: 1 }, 'Hi @nobody@unknown.example', 'Hi');
  await expectRefused({ languages: ['de'], text: { keywords: ['hallo'] } }, 'hallo Welt', 'Welt', { language: 'de' });
  const { id } = await addRule(server, { conditions: { account_younger_than: 2 } });
  expect(await isAccepted(alice, 'First')).toBe(false);
  server.clock.advance(7_201);
  expect(await isAccepted(alice, 'Second')).toBe(true);
  await server.db.deleteFrom('moderation_rules').where('id', '=', id).execute();
});

async function uploadImage(user: TestUser, background: string): Promise<{ id: string; blurhash: string }> {
  const image = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file }))).json;
}

test('ADM-05: a rule about hashes of media matches a file that is uploaded again', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const known = await uploadImage(bob, 'red');
  const postWith = async (user: TestUser, colour: string) =>
    isAccepted(user, 'Look', { media_ids: [(await uploadImage(user, colour)).id] });
  await addRule(server, { conditions: { media_hashes: [known.blurhash] } });
  expect(await Promise.all([postWith(alice, 'red'), postWith(alice, 'blue'), isAccepted(alice, 'No file')])).toEqual([
    false,
    true,
    true,
  ]);
});

test('ADM-05: a rule about a rate counts the earlier posts of the author', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await addRule(server, { conditions: { rate: { more_than: 2, seconds: 60 } } });
  const results: boolean[] = [];
  for (let at = 0; at < 4; at += 1) results.push(await isAccepted(alice, `Post ${at}`));
  expect([...results, await isAccepted(bob, 'Hello')]).toEqual([true, true, true, false, true]);
  server.clock.advance(61);
  expect(await isAccepted(alice, 'Later')).toBe(true);
});

test('ADM-05: scores of the rules with an action are added, and it is taken from 100', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addRule(server, { score: 60 });
  const { id } = await addRule(server, { score: 40, conditions: { text: { keywords: ['bonus'] } } });
  expect(await isAccepted(alice, 'Casino')).toBe(true);
  expect(await isAccepted(alice, 'Bonus')).toBe(true);
  expect(await isAccepted(alice, 'Casino bonus')).toBe(false);
  const staff = await createStaff(server);
  expect((await staff.get(`${path}/${id}/matches`)).json).toHaveLength(1);
});

test('ADM-05: posting costs no further query without rules', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, 'Warms up the caches');
  const count = (status: string) => server.countQueries(() => post(alice, status));
  const before = await count('One');
  await addRule(server, { conditions: { text: { keywords: ['casino'] } } });
  await post(alice, 'Loads the rules');
  expect(await count('Two')).toBe(before);
});
