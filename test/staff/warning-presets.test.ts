import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

const path = '/api/v1/fieldfare/admin/warning_presets';

test('ADM-02: staff create, change, use and delete texts for decisions', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  const alice = await server.user('alice');
  const { id } = (await staff.post(path, { title: ' Spam ', text: 'No advertising.' })).json;
  await staff.post(path, { title: 'Abuse', text: 'Be kind.' });
  expect((await staff.put(`${path}/${id}`, { text: 'No ads.' })).json).toEqual({ id, title: 'Spam', text: 'No ads.' });
  expect((await staff.get(path)).json).toMatchObject([{ title: 'Abuse' }, { id, title: 'Spam' }]);

  const action = { type: 'none', warning_preset_id: id, send_email_notification: false };
  expect((await staff.post(`/api/v1/admin/accounts/${alice.id}/action`, action)).status).toBe(200);
  const deleted = await staff.delete(`${path}/${id}`);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  expect((await alice.get('/api/v1/fieldfare/strikes')).json).toMatchObject([{ action: 'none', text: 'No ads.' }]);

  expect((await staff.delete(`${path}/${id}`)).status).toBe(404);
  expect((await staff.put(`${path}/${id}`, { text: 'x' })).status).toBe(404);
  const invalid = [
    { title: '', text: 'x' },
    { title: 'x', text: ' ' },
    { title: 'x'.repeat(201), text: 'x' },
    { title: 'x', text: 'x'.repeat(2001) },
  ];
  for (const body of invalid) expect((await staff.post(path, body)).status).toBe(422);
  const [{ id: other }] = (await staff.get(path)).json;
  expect((await staff.put(`${path}/${other}`, { title: ' ' })).status).toBe(422);
  const rows = await server.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('target_type', '=', 'warning_preset')
    .orderBy('id')
    .execute();
  expect(rows.map((row) => row.action)).toEqual([
    'warning_preset.create',
    'warning_preset.create',
    'warning_preset.update',
    'warning_preset.delete',
  ]);
  expect(rows[3]).toMatchObject({ before: { title: 'Spam', text: 'No ads.' }, after: null });
});
