import sharp from 'sharp';
import { expect, test } from 'vitest';
import { follow } from '../../feeds.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const filters = '/api/v2/filters';
const statuses = '/api/v1/statuses';

interface Keyword {
  readonly keyword: string;
  readonly whole_word?: boolean;
}

async function createFilter(user: TestUser, keywords: readonly (string | Keyword)[], fields: object = {}) {
  const attributes = keywords.map((keyword) => (typeof keyword === 'string' ? { keyword } : keyword));
  const answer = await user.post(filters, {
    title: 'Filter',
    context: ['home'],
    keywords_attributes: attributes,
    ...fields,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  const { keywords: _keywords, statuses: _statuses, ...matched } = answer.json;
  return matched;
}

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const answer = await user.post(statuses, { status, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.id;
}

const filteredOf = async (user: TestUser, id: string) => (await user.get(`${statuses}/${id}`)).json.filtered;

/** The text of a post that matched. */
const matchIn = async (user: TestUser, id: string) => (await filteredOf(user, id))[0]?.keyword_matches[0];

async function createUsers(server: TestServer) {
  return { alice: await server.user('alice'), bob: await server.user('bob') };
}

/** Keywords, and the part of a text that each matches. */
const keywordCases: readonly [string, Keyword, string, string | undefined][] = [
  ['a word in any case', { keyword: 'Cats' }, 'I love CATS.', 'CATS'],
  ['no part of a word', { keyword: 'cat' }, 'I love cats and concatenation', undefined],
  ['a part of a word', { keyword: 'cat', whole_word: false }, 'Concatenation', 'cat'],
  ['a word before punctuation', { keyword: 'élan' }, '«élan», he said', 'élan'],
  ['no part of a word with accents', { keyword: 'lan' }, 'élan', undefined],
  ['no part of a Cyrillic word', { keyword: 'кот' }, 'который', undefined],
  ['a Cyrillic word', { keyword: 'кот' }, 'Чёрный Кот', 'Кот'],
  ['a word with other code points', { keyword: 'caf\u00e9' }, 'Cafe\u0301!', 'Cafe\u0301'],
  ['a word that is longer in capitals', { keyword: 'STRASSE' }, 'Die Straße', 'Straße'],
  ['a full-width word', { keyword: 'cat' }, 'ｃａｔ', 'ｃａｔ'],
  ['a word with strokes', { keyword: 'cats' }, 'I like c\u0336a\u0336t\u0336s\u0336!', 'c\u0336a\u0336t\u0336s\u0336'],
  [
    'a word with a pile of marks',
    { keyword: 'cat' },
    'c\u0353\u033da\u0353\u033dt\u0353',
    'c\u0353\u033da\u0353\u033dt\u0353',
  ],
  ['a word with invisible characters', { keyword: 'cat' }, 'a c\u200ba\u00adt', 'c\u200ba\u00adt'],
  ['no word with other letters', { keyword: 'ano' }, 'feliz año', undefined],
  ['no Thai word with other vowels', { keyword: 'กี' }, 'กา', undefined],
  ['Chinese inside a sentence', { keyword: '猫' }, '我喜欢猫咪', '猫'],
  ['Japanese inside a sentence', { keyword: 'ネタバレ' }, '今日のネタバレです', 'ネタバレ'],
  ['Latin letters between Japanese ones', { keyword: 'cat' }, '私のcatです', 'cat'],
  ['Korean with a particle', { keyword: '고양이' }, '고양이가 좋다', '고양이'],
  ['Thai inside a sentence', { keyword: 'แมว' }, 'ฉันรักแมวดำ', 'แมว'],
  ['a phrase over a line break', { keyword: 'so long' }, 'so\nlong', 'so\nlong'],
  ['a hashtag', { keyword: '#Caturday' }, 'Happy #caturday!', '#caturday'],
  ['the word of a hashtag', { keyword: 'caturday' }, 'Happy #Caturday', 'Caturday'],
  ['no part of a hashtag', { keyword: '#cat' }, 'Happy #caturday', undefined],
  ['the host of a link', { keyword: 'spam.example' }, 'See https://spam.example/offer', 'spam.example'],
  ['an emoji', { keyword: '🐦' }, 'x🐦x', '🐦'],
  ['characters of regular expressions', { keyword: '.*(a+)+$' }, 'match .*(a+)+$ here', '.*(a+)+$'],
  ['no markup', { keyword: 'span', whole_word: false }, '@bob hello https://b.example/', undefined],
];

test('FL2-01: a keyword matches whole words or parts, in every script', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (const [name, keyword, text, expected] of keywordCases) {
    const { id } = await createFilter(alice, [keyword]);
    expect(await matchIn(alice, await post(bob, text)), name).toBe(expected);
    await alice.delete(`${filters}/${id}`);
  }
});

test('STA-05: content warnings, poll options and descriptions of media are searched too', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  await createFilter(alice, ['spider', 'over the']);
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#345678' } });
  const warned = await post(bob, 'x', { spoiler_text: 'Spider photo' });
  const asked = await post(bob, 'Which?', { poll: { options: ['Fly', 'spider!'], expires_in: 600 } });
  const apart = await post(bob, 'the end', { spoiler_text: 'Over' });
  const file = new File([Uint8Array.from(await image.png().toBuffer())], 'web.png', { type: 'image/png' });
  const media = await bob.post('/api/v2/media', await multipart({ file, description: 'A spider on a web' }));
  const shown = await post(bob, 'Look', { media_ids: [media.json.id] });
  expect(await matchIn(alice, warned)).toBe('Spider');
  expect(await matchIn(alice, asked)).toBe('spider');
  expect(await matchIn(alice, shown)).toBe('spider');
  expect(await filteredOf(alice, apart)).toEqual([]);
});

test('STA-05: every filter that matches is named once, whatever its contexts, with the text that matched', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const hidden = await createFilter(alice, ['cat', 'dog'], { filter_action: 'hide', context: ['account'] });
  await createFilter(alice, ['horse']);
  const blurred = await createFilter(alice, ['DOG', 'cat'], { filter_action: 'blur', context: ['thread', 'public'] });
  const id = await post(bob, 'Dogs, a dog and a cat');
  const other = await post(bob, 'A fish');
  expect(await filteredOf(alice, id)).toEqual([
    { filter: hidden, keyword_matches: ['dog'], status_matches: null },
    { filter: blurred, keyword_matches: ['dog'], status_matches: null },
  ]);
  expect(await filteredOf(alice, other)).toEqual([]);
  expect(await filteredOf(bob, id)).toEqual([]);
  expect((await server.anonymous.get(`${statuses}/${id}`)).json).not.toHaveProperty('filtered');
});

test('STA-05: own posts carry their matches, as in Mastodon', async () => {
  await using server = await startServer();
  const { alice } = await createUsers(server);
  await createFilter(alice, ['cat']);
  expect((await alice.post(statuses, { status: 'My cat' })).json.filtered).toMatchObject([
    { keyword_matches: ['cat'] },
  ]);
});

test('STA-05: a reblog carries the matches of its original, and a quoted post its own', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const carol = await server.user('carol');
  await createFilter(alice, ['cat']);
  const id = await post(bob, 'A cat', { quote_approval_policy: 'public' });
  const reblog = (await carol.post(`${statuses}/${id}/reblog`)).json.id;
  const shown = (await alice.get(`${statuses}/${reblog}`)).json;
  expect(shown.filtered).toMatchObject([{ keyword_matches: ['cat'] }]);
  expect(shown.reblog.filtered).toEqual(shown.filtered);
  const quoting = (await alice.get(`${statuses}/${await post(carol, 'Look', { quoted_status_id: id })}`)).json;
  expect(quoting.filtered).toEqual([]);
  expect(quoting.quote.quoted_status.filtered).toEqual(shown.filtered);
});

test('FL2-03: a filtered reblog matches alone, a filtered original also in its reblogs', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const id = await post(bob, 'Hello');
  const reblog = (await bob.post(`${statuses}/${id}/reblog`)).json.id;
  const filter = await createFilter(alice, ['hello']);
  await alice.post(`${filters}/${filter.id}/statuses`, { status_id: reblog });
  const shown = (await alice.get(`${statuses}/${reblog}`)).json;
  expect(shown.filtered).toEqual([{ filter, keyword_matches: ['Hello'], status_matches: [reblog] }]);
  expect(shown.reblog.filtered).toEqual(shown.filtered);
  expect(await filteredOf(alice, id)).toEqual([{ filter, keyword_matches: ['Hello'], status_matches: null }]);
  await alice.post(`${filters}/${filter.id}/statuses`, { status_id: id });
  expect((await filteredOf(alice, reblog))[0].status_matches.toSorted()).toEqual([id, reblog].toSorted());
  expect((await filteredOf(alice, id))[0].status_matches).toEqual([id]);
});

test('FL2-01: matches follow each change of a filter and each edit of a post at once', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const id = await post(bob, 'A cat');
  expect(await filteredOf(alice, id)).toEqual([]);
  const filter = await createFilter(alice, ['cat']);
  const { keywords } = (await alice.get(`${filters}/${filter.id}`)).json;
  expect(await matchIn(alice, id)).toBe('cat');
  await alice.put(`${filters}/keywords/${keywords[0].id}`, { keyword: 'dog' });
  expect(await filteredOf(alice, id)).toEqual([]);
  await bob.put(`${statuses}/${id}`, { status: 'A dog' });
  expect(await matchIn(alice, id)).toBe('dog');
  await bob.post(`${statuses}/${id}/favourite`);
  await alice.put(`${filters}/${filter.id}`, { title: 'Dogs', filter_action: 'hide' });
  expect((await filteredOf(alice, id))[0].filter).toMatchObject({ title: 'Dogs', filter_action: 'hide' });
  await alice.delete(`${filters}/${filter.id}`);
  expect(await filteredOf(alice, id)).toEqual([]);
});

test('FL1-02: a filter matches until it expires, and again when it is extended', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const id = await post(bob, 'A cat and a dog');
  const short = await createFilter(alice, ['cat'], { expires_in: 60 });
  await createFilter(alice, ['dog'], { expires_in: 600 });
  const matches = async () => (await filteredOf(alice, id)).flatMap((result: FilterMatch) => result.keyword_matches);
  expect(await matches()).toEqual(['cat', 'dog']);
  server.clock.advance(59);
  expect(await matches()).toEqual(['cat', 'dog']);
  server.clock.advance(1);
  expect(await matches()).toEqual(['dog']);
  server.clock.advance(600);
  expect(await matches()).toEqual([]);
  expect((await alice.get(filters)).json).toHaveLength(2);
  await alice.put(`${filters}/${short.id}`, { expires_in: 60 });
  expect(await matches()).toEqual(['cat']);
  await alice.put(`${filters}/${short.id}`, { expires_in: 0 });
  expect(await matches()).toEqual([]);
});

interface FilterMatch {
  readonly keyword_matches: string[] | null;
}

test('STA-05: every surface that returns posts carries the matches, and hides nothing', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  await follow(server, alice, bob);
  await createFilter(alice, ['cat'], { filter_action: 'hide', context: ['home', 'notifications'] });
  const list = (await alice.post('/api/v1/lists', { title: 'Friends' })).json.id;
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] });
  const root = await post(alice, 'Who has a pet?');
  const id = await post(bob, 'a cat #pets');
  await post(bob, '@alice my cat', { in_reply_to_id: root });
  await post(bob, '@alice my cat is a secret', { visibility: 'direct' });
  for (const action of ['favourite', 'bookmark']) await alice.post(`${statuses}/${id}/${action}`);
  await bob.post(`${statuses}/${id}/pin`);
  await server.drain();
  const single = [`${statuses}/${id}`];
  const listings = [
    '/api/v1/timelines/home',
    '/api/v1/timelines/public',
    '/api/v1/timelines/tag/pets',
    `/api/v1/timelines/list/${list}`,
    `/api/v1/accounts/${bob.id}/statuses`,
    `/api/v1/accounts/${bob.id}/statuses?pinned=true`,
    `${statuses}?id[]=${id}`,
    '/api/v1/favourites',
    '/api/v1/bookmarks',
  ];
  const matched = expect.objectContaining({ filtered: [expect.objectContaining({ keyword_matches: ['cat'] })] });
  for (const path of single) expect((await alice.get(path)).json, path).toEqual(matched);
  for (const path of listings) expect((await alice.get(path)).json, path).toContainEqual(matched);
  expect((await alice.get(`${statuses}/${root}/context`)).json.descendants).toEqual([matched]);
  expect((await alice.get('/api/v1/conversations')).json).toEqual([expect.objectContaining({ last_status: matched })]);
  const notifications = (await alice.get('/api/v1/notifications?types[]=mention')).json;
  expect(notifications).toHaveLength(2);
  for (const notification of notifications) {
    expect(notification.status).toEqual(matched);
    expect((await alice.get(`/api/v1/notifications/${notification.id}`)).json.status).toEqual(matched);
  }
  for (const action of ['unfavourite', 'favourite', 'reblog', 'unreblog', 'mute', 'unmute'])
    expect((await alice.post(`${statuses}/${id}/${action}`)).json, action).toEqual(matched);
});

test('reading with filters costs one statement more, once', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (let count = 0; count < 5; count += 1) await post(bob, `A cat ${count}`);
  await createFilter(alice, ['cat']);
  const count = () =>
    server.countQueries(async () => {
      expect((await alice.get('/api/v1/timelines/public')).json).toHaveLength(5);
    });
  await count();
  const warm = await count();
  await alice.put(`${filters}/${(await alice.get(filters)).json[0].id}`, { title: 'x' });
  expect(await count()).toBe(warm + 1);
  expect(await count()).toBe(warm);
});
