import { expect, test } from 'vitest';
import { storeRemoteEmojis } from '../../server/emojis/index.ts';
import { addTestEmoji, createGif, createPng } from '../emoji-files.ts';
import { Network } from '../network.ts';
import { recordStatements } from '../record-statements.ts';
import { startServer, type TestServer } from '../server.ts';

const path = '/api/v1/fieldfare/admin/custom_emojis';

const createStaff = (server: TestServer) =>
  server.user('merle', { role: 'admin', scopes: 'admin:read admin:write read write' });
const toDataUri = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;
const namesOf = (emojis: { shortcode: string }[]): string[] => emojis.map(({ shortcode }) => shortcode);
const remote = (shortcode: string, domain = 'far.test') => ({
  shortcode,
  url: `https://${domain}/${shortcode}.png`,
  updatedAt: undefined,
});

test('EMO-01: staff add, change, disable and delete local emojis', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const publicNames = async () => namesOf((await server.anonymous.get('/api/v1/custom_emojis')).json);
  const image = toDataUri(await createPng());
  const created = await staff.post(path, { shortcode: 'bird', image, category: ' Birds ', visible_in_picker: false });
  expect(created.json).toEqual({
    id: created.json.id,
    shortcode: 'bird',
    url: expect.stringMatching(/\.png$/),
    static_url: created.json.url,
    visible_in_picker: false,
    domain: null,
    category: 'Birds',
    disabled: false,
    local_id: created.json.id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(await publicNames()).toEqual(['bird']);
  const one = `${path}/${created.json.id}`;
  expect((await staff.get(one)).json).toEqual(created.json);
  expect((await staff.put(one, { category: '' })).json).toMatchObject({ category: null, visible_in_picker: false });
  expect((await staff.put(one, { visible_in_picker: true })).json).toMatchObject({ visible_in_picker: true });
  const animated = await staff.put(one, { image: toDataUri(await createGif()), category: 'Moving' });
  expect(animated.json).toMatchObject({ category: 'Moving', visible_in_picker: true });
  expect(animated.json.url).not.toBe(created.json.url);

  const status = (await staff.post('/api/v1/statuses', { status: 'A :bird: flies' })).json.id;
  const shown = async () => namesOf((await staff.get(`/api/v1/statuses/${status}`)).json.emojis);
  expect(await shown()).toEqual(['bird']);
  expect((await staff.post(`${one}/disable`)).json.disabled).toBe(true);
  expect([await shown(), await publicNames()]).toEqual([[], []]);
  expect((await staff.post(`${one}/enable`)).json.disabled).toBe(false);
  expect(await shown()).toEqual(['bird']);
  expect((await staff.delete(one)).json).toEqual({});
  for (const gone of [staff.get(one), staff.put(one, {}), staff.delete(one), staff.post(`${one}/disable`)])
    expect((await gone).status).toBe(404);
});

test('EMO-01: an invalid emoji is refused with the field', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const image = toDataUri(await createPng());
  await addTestEmoji(server, 'bird');
  const refusals = [
    [{ shortcode: 'bird', image }, 409, 'already an emoji :bird:'],
    [{ shortcode: 'a b', image }, 422, 'Shortcode must be'],
    [{ shortcode: 'x'.repeat(129), image }, 422, 'Shortcode must be'],
    [{ shortcode: 'tree', image: toDataUri(Buffer.from('no image')) }, 422, 'Image'],
    [{ shortcode: 'tree', image: toDataUri(Buffer.alloc(262_145)) }, 422, 'Image must not be larger than 256 KB'],
    [{ shortcode: 'tree', image, category: 'x'.repeat(101) }, 422, 'Category is too long'],
    [{ shortcode: 'tree' }, 400, 'image'],
  ] as const;
  for (const [body, code, text] of refusals) {
    const { status, json } = await staff.post(path, body);
    expect([status, json.error]).toEqual([code, expect.stringContaining(text)]);
  }
  expect(namesOf((await staff.get(path)).json)).toEqual(['bird']);
});

test('EMO-01: staff find emojis by origin, domain, shortcode and state', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  await addTestEmoji(server, 'bird');
  await storeRemoteEmojis(server.app, 'far.test', [remote('bird'), remote('big_tree'), remote('bigger')]);
  await storeRemoteEmojis(server.app, 'xn--bcher-kva.test', [remote('book')]);
  const list = async (query: string) => namesOf((await staff.get(`${path}${query}`)).json).toSorted();
  expect(await list('')).toEqual(['big_tree', 'bigger', 'bird', 'bird', 'book']);
  expect(await list('?origin=local')).toEqual(['bird']);
  expect(await list('?origin=remote')).toEqual(['big_tree', 'bigger', 'bird', 'book']);
  expect(await list('?by_domain=Far.test')).toEqual(['big_tree', 'bigger', 'bird']);
  expect(await list(`?by_domain=${encodeURIComponent('bücher.test')}`)).toEqual(['book']);
  expect(await list('?shortcode=BI')).toEqual(['big_tree', 'bigger', 'bird', 'bird']);
  expect(await list('?shortcode=big_')).toEqual(['big_tree']);
  expect(await list('?shortcode=%25')).toEqual([]);
  expect(await list('?state=disabled')).toEqual([]);
  const [foreign] = (await staff.get(`${path}?by_domain=far.test&shortcode=bird`)).json;
  const [local] = (await staff.get(`${path}?origin=local`)).json;
  expect(foreign).toMatchObject({ domain: 'far.test', local_id: local.id });
  expect((await staff.post(`${path}/${foreign.id}/disable`)).json.disabled).toBe(true);
  expect(await list('?state=disabled&origin=remote')).toEqual(['bird']);
  for (const refused of [staff.put(`${path}/${foreign.id}`, { category: 'x' }), staff.delete(`${path}/${foreign.id}`)])
    expect((await refused).status).toBe(422);
});

test('EMO-01: a search for a shortcode, and for disabled emojis, reads only what it finds', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  await server.pool.query(`insert into custom_emojis (id, shortcode, domain, disabled, created_at, updated_at)
    select n, 'bird_' || n, 'far.test', n % 5000 = 0, now(), now() from generate_series(1, 10000) n`);
  await server.pool.query('analyze custom_emojis');
  const listIndexes = async (filter: string): Promise<string[]> => {
    const [statement] = (await recordStatements(() => staff.get(`${path}?${filter}`))).filter(({ text }) =>
      text.includes('custom_emojis'),
    );
    const client = await server.pool.connect();
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement?.text ?? ''}`);
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [...plan.matchAll(/ on (custom_emojis_\w+)|using (custom_emojis_\w+)/gu)].map(
      ([, one, other]) => one ?? other ?? '',
    );
  };
  expect((await staff.get(`${path}?shortcode=zebra`)).json).toEqual([]);
  expect(namesOf((await staff.get(`${path}?shortcode=BIRD_999&limit=3`)).json)).toEqual([
    'bird_9999',
    'bird_9998',
    'bird_9997',
  ]);
  expect(namesOf((await staff.get(`${path}?state=disabled`)).json)).toEqual(['bird_10000', 'bird_5000']);
  expect(await listIndexes('shortcode=zebra')).toContain('custom_emojis_shortcode');
  expect(await listIndexes('state=disabled')).toContain('custom_emojis_disabled');
});

test('EMO-01: staff copy a remote emoji in the background, and a broken one is not copied', async () => {
  await using network = new Network();
  const server = await network.start('near.test');
  const staff = await createStaff(server);
  const body = await createPng();
  network.addHost('far.test', ({ pathname }) =>
    pathname === '/bird.png' ? { status: 200, body } : { status: 200, body: Buffer.from('no image') },
  );
  await storeRemoteEmojis(server.app, 'far.test', [remote('bird'), remote('tree'), remote('x'.repeat(129))]);
  await storeRemoteEmojis(server.app, 'gone.test', [remote('egg', 'gone.test')]);
  const find = async (shortcode: string) => (await staff.get(`${path}?origin=remote&shortcode=${shortcode}`)).json[0];
  const copy = async (shortcode: string, more = {}) =>
    staff.post(`${path}/${(await find(shortcode)).id}/copy`, { ...more });
  expect((await copy('bird', { category: 'Birds' })).json).toMatchObject({ domain: 'far.test', local_id: null });
  for (const broken of ['tree', 'egg']) expect((await copy(broken)).status).toBe(200);
  expect((await copy('xx')).status).toBe(422);
  await server.drain();
  const { local_id: localId } = await find('bird');
  expect((await staff.get(`${path}/${localId}`)).json).toMatchObject({ domain: null, category: 'Birds' });
  expect([(await find('tree')).local_id, (await find('egg')).local_id]).toEqual([null, null]);
  expect((await copy('bird')).status).toBe(409);
  expect((await staff.post(`${path}/${localId}/copy`)).status).toBe(422);
  expect((await staff.post(`${path}/1/copy`)).status).toBe(404);
});

test('EMO-01: staff change many emojis at once, and read which of them could not be changed', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  for (const name of ['bird', 'tree', 'egg']) await addTestEmoji(server, name);
  await storeRemoteEmojis(server.app, 'far.test', [remote('bird')]);
  const list: { id: string; shortcode: string; domain: string | null }[] = (await staff.get(path)).json;
  const idOf = (shortcode: string, domain: string | null = null) =>
    list.find((emoji) => emoji.shortcode === shortcode && emoji.domain === domain)?.id ?? '';
  const [bird, tree, egg, foreign] = [idOf('bird'), idOf('tree'), idOf('egg'), idOf('bird', 'far.test')];
  const change = (body: object) => staff.post(`${path}/batch`, body);

  const updated = await change({ ids: [tree, foreign, bird, '1'], action: 'update', category: 'Wood' });
  expect(updated.json).toMatchObject({
    emojis: [
      { id: tree, category: 'Wood', visible_in_picker: true },
      { id: foreign, category: null },
      { id: bird, category: 'Wood' },
    ],
    errors: [
      { id: foreign, error: 'Only local emojis can be changed' },
      { id: '1', error: 'Record not found' },
    ],
  });
  const hidden = await change({ ids: [bird, tree], action: 'update', visible_in_picker: false });
  expect(hidden.json.emojis).toMatchObject([
    { category: 'Wood', visible_in_picker: false },
    { category: 'Wood', visible_in_picker: false },
  ]);
  const disabled = await change({ ids: [egg, foreign], action: 'disable' });
  expect([disabled.json.errors, disabled.json.emojis]).toMatchObject([[], [{ disabled: true }, { disabled: true }]]);
  expect((await change({ ids: [egg], action: 'enable' })).json.emojis).toMatchObject([{ disabled: false }]);
  const keys = await server.db
    .selectFrom('custom_emojis')
    .select(['image_key', 'static_key'])
    .where('shortcode', '=', 'tree')
    .execute();
  const deleted = await change({ ids: [tree, foreign], action: 'delete' });
  expect(deleted.json).toMatchObject({ emojis: [{ id: foreign }], errors: [{ id: foreign }] });
  expect(namesOf((await staff.get(`${path}?origin=local`)).json)).toEqual(['egg', 'bird']);
  for (const { image_key: key } of keys) expect(await server.app.storage.get(key ?? '')).toBeUndefined();

  for (const body of [
    { ids: [bird], action: 'update', category: 'x'.repeat(101) },
    { ids: [bird], action: 'lose' },
    { ids: Array.from({ length: 201 }, (_, index) => String(index)), action: 'enable' },
  ])
    expect((await change(body)).status).toBe(422);
  expect((await change({ ids: [], action: 'enable' })).json).toEqual({ emojis: [], errors: [] });
  const log = await server.db
    .selectFrom('audit_log')
    .select(['action', 'target_label'])
    .where('staff_id', '=', staff.id)
    .orderBy('id')
    .execute();
  expect(log.map(({ action, target_label: label }) => `${action} ${label}`)).toEqual([
    'custom_emoji.update :tree:',
    'custom_emoji.update :bird:',
    'custom_emoji.update :bird:',
    'custom_emoji.update :tree:',
    'custom_emoji.disable :egg:',
    'custom_emoji.disable :bird:@far.test',
    'custom_emoji.enable :egg:',
    'custom_emoji.delete :tree:',
  ]);
});

test('EMO-01: staff copy many remote emojis; one whose shortcode is taken is left out', async () => {
  await using network = new Network();
  const server = await network.start('near.test');
  const staff = await createStaff(server);
  await addTestEmoji(server, 'bird');
  const body = await createPng();
  for (const host of ['far.test', 'other.test']) network.addHost(host, () => ({ status: 200, body }));
  await storeRemoteEmojis(server.app, 'far.test', [remote('bird'), remote('tree'), remote('egg')]);
  await storeRemoteEmojis(server.app, 'other.test', [remote('tree', 'other.test')]);
  const list: { id: string; shortcode: string; domain: string | null }[] = (await staff.get(path)).json;
  const ids = list.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ id }) => id);
  const copied = await staff.post(`${path}/batch`, { ids, action: 'copy', category: 'Far' });
  const reasons = copied.json.errors.map(({ error }: { error: string }) => error);
  expect(reasons.toSorted()).toEqual([
    'Only remote emojis can be copied',
    'There is already an emoji :bird:',
    'There is already an emoji :tree:',
  ]);
  await server.drain();
  const local = (await staff.get(`${path}?origin=local`)).json;
  expect(
    local
      .map(({ shortcode, category }: { shortcode: string; category: string | null }) => [shortcode, category])
      .toSorted(),
  ).toEqual([
    ['bird', null],
    ['egg', 'Far'],
    ['tree', 'Far'],
  ]);
});

test('EMO-01: a change of many emojis takes as many statements as one of two', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const names = Array.from({ length: 20 }, (_, index) => `emoji_${index}`);
  await storeRemoteEmojis(
    server.app,
    'far.test',
    names.map((name) => remote(name)),
  );
  const ids: string[] = (await staff.get(path)).json.map(({ id }: { id: string }) => id);
  const count = async (some: readonly string[], action: string) =>
    (await recordStatements(() => staff.post(`${path}/batch`, { ids: some, action }))).length;
  await count(ids.slice(0, 2), 'disable');
  expect(await count(ids, 'enable')).toBe(await count(ids.slice(0, 2), 'disable'));
});
