import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../server.ts';

const base = '/api/v1/fieldfare/admin';

const createStaff = (server: TestServer) => server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
const textsOf = (rules: { text: string }[]): string[] => rules.map(({ text }) => text);

test('ADM-06: staff add, change, move, translate and delete rules', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const rules = `${base}/rules`;
  const add = async (text: string, more = {}) => (await staff.post(rules, { text, ...more })).json;
  const first = await add(' Be kind ', { hint: 'Really' });
  expect(first).toEqual({ id: first.id, text: 'Be kind', hint: 'Really', position: 0, translations: {} });
  const [second, third] = [await add('No spam'), await add('No bots')];

  const moved = await staff.post(`${rules}/${third.id}/move`, { place: 1 });
  expect(textsOf(moved.json)).toEqual(['No bots', 'Be kind', 'No spam']);
  expect(textsOf((await staff.post(`${rules}/${first.id}/move`, { place: 99 })).json)).toEqual([
    'No bots',
    'No spam',
    'Be kind',
  ]);
  // A new rule comes last.
  await add('Speak up');
  expect(textsOf((await staff.get(rules)).json)).toEqual(['No bots', 'No spam', 'Be kind', 'Speak up']);
  expect(textsOf((await server.anonymous.get('/api/v1/instance/rules')).json)).toHaveLength(4);

  const edited = await staff.put(`${rules}/${second.id}`, { hint: 'Not even once' });
  expect(edited.json).toMatchObject({ text: 'No spam', hint: 'Not even once' });
  const translation = `${rules}/${second.id}/translations`;
  const translated = await staff.put(`${translation}/de`, { text: 'Kein Spam' });
  expect(translated.json.translations).toEqual({ de: { text: 'Kein Spam', hint: '' } });
  expect((await staff.delete(`${translation}/de`)).json.translations).toEqual({});
  expect((await staff.delete(`${translation}/de`)).status).toBe(404);
  expect((await staff.delete(`${rules}/${third.id}`)).json).toEqual({});
  for (const request of [
    staff.put(`${rules}/${third.id}`, { text: 'x' }),
    staff.post(`${rules}/${third.id}/move`, { place: 1 }),
    staff.delete(`${rules}/${third.id}`),
    staff.put(`${rules}/${third.id}/translations/de`, { text: 'x' }),
    staff.delete(`${rules}/x`),
  ])
    expect((await request).status).toBe(404);
  for (const [request, error] of [
    [staff.post(rules, { text: ' ' }), "Text can't be blank"],
    [staff.post(rules, { text: 'x'.repeat(301) }), 'Text is too long'],
    [staff.put(`${rules}/${first.id}`, { hint: 'x'.repeat(5_001) }), 'Hint is too long'],
    [staff.post(`${rules}/${first.id}/move`, { place: 0 }), 'Place is invalid'],
    [staff.put(`${rules}/${first.id}/translations/xx`, { text: 'x' }), 'Unknown language code: xx'],
  ] as const) {
    const { status, json } = await request;
    expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
  }
  const log = await server.db.selectFrom('audit_log').select(['action', 'before', 'after']).orderBy('id').execute();
  expect(log.filter(({ action }) => action === 'rule.move')).toEqual([
    { action: 'rule.move', before: { place: 3 }, after: { place: 1 } },
    { action: 'rule.move', before: { place: 2 }, after: { place: 3 } },
  ]);
});

test('ADM-06: staff prepare, publish and announce terms of service', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const terms = `${base}/terms_of_service`;
  expect((await staff.get(`${terms}/draft`)).status).toBe(404);
  expect((await staff.post(`${terms}/draft/publish`)).status).toBe(404);
  expect((await staff.delete(`${terms}/draft`)).status).toBe(404);
  const body = { content: '<p>Be kind<script>x</script></p>', changelog: 'All new', effective_date: '2126-01-02' };
  const draft = { content: '<p>Be kind</p>', changelog: 'All new', effective_date: '2126-01-02' };
  expect((await staff.put(`${terms}/draft`, body)).json).toEqual(draft);
  expect((await staff.get(`${terms}/draft`)).json).toEqual(draft);
  for (const [wrong, error] of [
    [{ content: '' }, "Content can't be blank"],
    [{ ...body, effective_date: 'soon' }, 'Effective date is not a date'],
    [{ ...body, effective_date: '2001-01-01' }, 'Effective date must not be in the past'],
    [{ ...body, changelog: 'x'.repeat(10_001) }, 'Changelog is too long'],
  ] as const) {
    const { status, json } = await staff.put(`${terms}/draft`, wrong);
    expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
  }
  const published = await staff.post(`${terms}/draft/publish`);
  expect(published.json).toEqual({
    ...draft,
    effective: false,
    succeeded_by: null,
    announced: false,
  });
  expect((await staff.get(terms)).json).toEqual([published.json]);
  expect((await staff.post(`${terms}/2126-01-02/announce`)).json).toMatchObject({ announced: true });
  const again = await staff.post(`${terms}/2126-01-02/announce`);
  expect([again.status, again.json.error]).toEqual([422, expect.stringContaining('already been notified')]);
  expect((await staff.post(`${terms}/2126-01-03/announce`)).status).toBe(404);
  await staff.put(`${terms}/draft`, body);
  expect((await staff.delete(`${terms}/draft`)).json).toEqual({});
});

test('ADM-06: staff replace the images of the site, and return to the bundled ones', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const images = `${base}/site_images`;
  expect((await staff.get(images)).json).toMatchObject([
    { name: 'thumbnail', bundled: true, versions: { '@1x': 'https://fieldfare.test/thumbnail.png' } },
    { name: 'icon', bundled: true, description: null },
  ]);
  const bytes = await sharp({ create: { width: 700, height: 700, channels: 3, background: '#248' } })
    .jpeg()
    .toBuffer();
  const image = `data:image/jpeg;base64,${bytes.toString('base64')}`;
  const replaced = await staff.put(`${images}/thumbnail`, { image, description: ' A nest ' });
  expect(replaced.json).toMatchObject({ name: 'thumbnail', bundled: false, description: 'A nest' });
  expect((await server.anonymous.get('/api/v2/instance')).json.thumbnail).toMatchObject({
    versions: replaced.json.versions,
    description: 'A nest',
  });
  expect((await staff.delete(`${images}/thumbnail`)).json).toMatchObject({ bundled: true });
  expect((await staff.delete(`${images}/thumbnail`)).status).toBe(404);
  expect((await staff.put(`${images}/banner`, { image })).status).toBe(404);
  expect((await staff.put(`${images}/icon`, {})).status).toBe(400);
  for (const [wrong, error] of [
    [{ image: 'no file' }, 'image'],
    [{ image: `data:image/jpeg;base64,${Buffer.from('no image').toString('base64')}` }, 'Image'],
    [{ image, description: 'x'.repeat(151) }, 'Description is too long'],
  ] as const) {
    const { status, json } = await staff.put(`${images}/icon`, wrong);
    expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
  }
});
