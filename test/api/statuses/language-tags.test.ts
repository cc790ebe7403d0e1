import { expect, test } from 'vitest';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';
import { peerScene } from '../../federation/peer-scene.ts';

/** Tags and the listed languages that are nearest to them. */
const tags = [
  ['en-US', 'en'],
  ['ja-JP', 'ja'],
  ['pt-PT', 'pt'],
  ['pt_BR', 'pt-BR'],
  ['nb-NO', 'nb'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hant-HK', 'zh-HK'],
  ['fr-CA', 'fr'],
  ['EN', 'en'],
  ['iw', 'he'],
] as const;

const statuses = '/api/v1/statuses';

test('posts, edits, scheduled posts, drafts and threads get the listed language that is nearest to a tag', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: edited } = await alice.post(statuses, { status: 'ok', language: 'eo' });
  const scheduledAt = new Date(server.clock.now().getTime() + 600_000).toISOString();
  for (const [tag, code] of tags) {
    const post = { status: 'ok 1', language: tag };
    const draft = await alice.post('/api/v1/fieldfare/drafts', { posts: [post] });
    const thread = await alice.post('/api/v1/fieldfare/threads', { posts: [post, post] });
    const languages = [
      (await alice.post(statuses, post)).json.language,
      (await alice.put(`${statuses}/${edited.id}`, post)).json.language,
      (await alice.post(statuses, { ...post, scheduled_at: scheduledAt })).json.params.language,
      draft.json.posts[0].language,
      ...thread.json.map(({ language }: { language: string }) => language),
    ];
    expect([tag, ...languages]).toEqual([tag, code, code, code, code, code, code]);
  }
  expect((await alice.put(`${statuses}/${edited.id}`, { status: 'ok 1', language: 'tlh' })).json.language).toBe('he');
  const refused = await alice.post('/api/v1/fieldfare/threads', { posts: [{ status: 'ok', language: 'tlh' }] });
  expect([refused.status, refused.json.error]).toEqual([422, expect.stringContaining('language')]);
});

async function homeOf(server: TestServer, user: TestUser): Promise<string[]> {
  await server.drain();
  const { json } = await user.get('/api/v1/timelines/home');
  return json.map(({ language }: { language: string }) => language);
}

test('FOL-01: the languages of a follow and of an import are listed ones, and include regional forms', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const follow = (languages: string[]) => alice.post(`/api/v1/accounts/${bob.id}/follow`, { languages });
  expect((await follow(['EN-us', 'pt', 'zh_Hant_HK', 'en'])).json.languages).toEqual(['en', 'pt', 'zh-HK']);
  expect((await follow(['tlh'])).status).toBe(422);
  for (const language of ['en', 'pt-BR', 'zh-TW', 'zh-HK', 'de'])
    await bob.post(statuses, { status: 'ok 1', language });
  expect(await homeOf(server, alice)).toEqual(['zh-HK', 'pt-BR', 'en']);
  const csv = 'Account address,Languages\nbob,"en_GB, iw, nonsense"\n';
  const { json } = await alice.post('/api/v1/fieldfare/imports', { type: 'following', csv });
  await alice.post(`/api/v1/fieldfare/imports/${json.id}/confirm`);
  await server.drain();
  const [relationship] = (await alice.get(`/api/v1/accounts/relationships?id[]=${bob.id}`)).json;
  expect(relationship.languages).toEqual(['en', 'he']);
  const byHandle = await alice.post('/api/v1/follows', { uri: 'bob', languages: ['de-AT'] });
  expect(byHandle.json.languages).toEqual(['de']);
});

test('the default language of posts and the language of texts are the nearest ones', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const save = async (language: string) => {
    const { json, status } = await alice.patch('/api/v1/accounts/update_credentials', { source: { language } });
    return status === 200 ? json.source.language : status;
  };
  for (const [tag, code] of tags) expect([tag, await save(tag)]).toEqual([tag, code]);
  expect(await save('tlh')).toBe(422);
  expect((await alice.post(statuses, { status: 'ok 1' })).json.language).toBe('he');
  const preferences = async (locale: string) => {
    const { json, status } = await alice.patch('/api/v1/fieldfare/preferences', { locale });
    return status === 200 ? json.locale : status;
  };
  for (const [tag, locale] of [
    ['de-CH', 'de'],
    ['FR_ca', 'fr'],
    ['pt-BR', 'pt'],
    ['jpn', 'ja'],
    ['nb', 422],
    ['', 422],
  ])
    expect([tag, await preferences(String(tag))]).toEqual([tag, locale]);
});

test('language: finds the posts of the nearest language and its regional forms', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const codes = ['en', 'de', 'pt', 'pt-BR', 'he', 'zh-TW'];
  for (const language of codes) await alice.post(statuses, { status: `magpie ${language}`, language });
  await server.drain();
  const find = async (terms: string) => {
    const q = encodeURIComponent(`magpie ${terms}`);
    const { json } = await alice.get(`/api/v2/search?type=statuses&q=${q}`);
    return json.statuses.map(({ language }: { language: string }) => language).toReversed();
  };
  expect(await find('language:EN-us')).toEqual(['en']);
  expect(await find('language:pt_BR')).toEqual(['pt-BR']);
  expect(await find('language:por')).toEqual(['pt', 'pt-BR']);
  expect(await find('language:iw')).toEqual(['he']);
  expect(await find('language:zh')).toEqual(['zh-TW']);
  expect(await find('language:tlh')).toEqual([]);
  expect(await find('-language:pt -language:zh-Hant')).toEqual(['en', 'de', 'he']);
});

test('ADM-06: languages of settings, rules and moderation rules are listed ones', async () => {
  await using server = await startServer();
  const staff = await server.user('chief', { role: 'owner', scopes: 'read write admin:read admin:write' });
  await changeSiteSettings(server.app, 'system', {
    languages: ['en-US', 'EN', 'iw', 'pt_BR'],
    defaultLanguage: 'de_CH' as 'de',
  });
  expect((await server.anonymous.get('/api/v2/instance')).json.languages).toEqual(['en', 'he', 'pt-BR']);
  const { rows } = await server.pool.query(`select value from site_settings where name = 'defaultLanguage'`);
  expect(rows).toEqual([{ value: 'de' }]);
  await expect(changeSiteSettings(server.app, 'system', { languages: ['tlh'] })).rejects.toMatchObject({ status: 422 });
  const rules = '/api/v1/fieldfare/admin/rules';
  const { json: rule } = await staff.post(rules, { text: 'Be kind' });
  expect((await staff.put(`${rules}/${rule.id}/translations/de-AT`, { text: 'Sei nett' })).status).toBe(200);
  expect((await server.anonymous.get('/api/v1/instance/rules')).json[0].translations).toEqual({
    de: { text: 'Sei nett', hint: '' },
  });
  expect((await staff.delete(`${rules}/${rule.id}/translations/DE_ch`)).status).toBe(200);
  const moderation = {
    title: 'x',
    conditions: { languages: ['EN-gb', 'zh-Hans'] },
    actions: ['hold'],
    kinds: ['posts'],
  };
  const created = await staff.post('/api/v1/fieldfare/admin/moderation_rules', moderation);
  expect([created.status, created.json.conditions?.languages]).toEqual([200, ['en', 'zh-CN']]);
});

test('FED-03: the language of a received post is the listed one that is nearest to that of its text', async () => {
  await using scene = await peerScene();
  const { a, alice, eve } = scene;
  const maps: [content: string | undefined, map: Record<string, string>, language: string | null][] = [
    ...tags.map(([tag, code]): [string, Record<string, string>, string] => ['<p>x</p>', { [tag]: '<p>x</p>' }, code]),
    [undefined, { 'en-us': '<p>x</p>' }, 'en'],
    ['<p>y</p>', { en: '<p>x</p>', 'de-CH': '<p>y</p>' }, 'de'],
    ['<p>z</p>', { und: '<p>z</p>', fr: '<p>x</p>' }, 'fr'],
    ['<p>x</p>', { tlh: '<p>x</p>' }, null],
  ];
  for (const [number, [content, contentMap]] of maps.entries()) {
    const note = eve.note(number, {
      content,
      contentMap,
      cc: ['https://a.test/users/alice'],
      tag: [{ type: 'Mention', href: 'https://a.test/users/alice' }],
    });
    expect(await eve.send(a, eve.create(note))).toBe(202);
  }
  await a.drain();
  const { rows } = await a.pool.query<{ language: string }>('select language from statuses order by uri');
  const expected = maps.map(([, , language], number) => [String(number), language] as const);
  expect(rows.map(({ language }) => language)).toEqual(
    expected.toSorted(([x], [y]) => (x < y ? -1 : 1)).map(([, language]) => language),
  );
  expect((await alice.get('/api/v1/notifications')).json).toHaveLength(maps.length);
});
