import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

test('a list that is filtered by what is no id is empty, as for an unknown id', async () => {
  await using server = await startServer();
  const staff = await server.user('chief', { role: 'owner', scopes: 'read write follow admin:read admin:write' });
  const bob = await server.user('bob');
  const { json: post } = await staff.post('/api/v1/statuses', { status: 'magpie' });
  await bob.post(`/api/v1/statuses/${post.id}/favourite`);
  await bob.post('/api/v1/reports', { account_id: staff.id });
  await staff.post(`/api/v1/statuses/${post.id}/bookmark`);
  await server.drain();
  const lists = [
    ['/api/v1/notifications', 'account_id'],
    ['/api/v2/notifications', 'account_id'],
    ['/api/v2/search?q=magpie&type=statuses', 'account_id'],
    ['/api/v1/admin/reports', 'account_id'],
    ['/api/v1/admin/reports', 'target_account_id'],
    ['/api/v2/admin/accounts', 'invited_by'],
    ['/api/v2/admin/accounts', 'role_ids[]'],
    ['/api/v1/fieldfare/bookmarks?q=magpie', 'account_id'],
    ['/api/v1/fieldfare/admin/audit_log', 'staff_id'],
  ] as const;
  const count = (json: unknown): number =>
    Array.isArray(json)
      ? json.length
      : Object.values(json as object).reduce(
          (sum: number, list: unknown) => sum + (Array.isArray(list) ? list.length : 0),
          0,
        );
  for (const [path, name] of lists) {
    const mark = path.includes('?') ? '&' : '?';
    for (const value of ['abc', '12x', '1e3', '99999999999999999999', '123456789', '@bob'])
      expect([path, name, value, (await staff.get(`${path}${mark}${name}=${value}`)).status]).toEqual([
        path,
        name,
        value,
        200,
      ]);
    const { json } = await staff.get(`${path}${mark}${name}=abc`);
    expect([path, name, count(json)]).toEqual([path, name, 0]);
    if (!path.includes('audit')) expect([path, count((await staff.get(path)).json) > 0]).toEqual([path, true]);
  }
});

const noTimes = [
  '2026-02-30T10:00:00Z',
  '2027-02-29',
  '2027-04-31T10:00',
  '2026-13-01',
  '2027-01-01T24:00:00Z',
  'tomorrow',
];

test.each(noTimes)('the time %j is refused with 422 wherever one is sent', async (time) => {
  await using server = await startServer();
  const staff = await server.user('chief', { role: 'owner', scopes: 'read write follow admin:read admin:write' });
  const announcements = '/api/v1/fieldfare/admin/announcements';
  const measures = { keys: ['new_users'], start_at: '2026-01-01', end_at: '2026-12-31' };
  const responses = [
    await staff.post('/api/v1/statuses', { status: 'x', scheduled_at: time }),
    await staff.post(announcements, { text: 'x', starts_at: time }),
    await staff.post(announcements, { text: 'x', starts_at: '2026-01-01', ends_at: time }),
    await staff.post(announcements, { text: 'x', scheduled_at: time }),
    await staff.post('/api/v1/admin/measures', { ...measures, start_at: time }),
    await staff.post('/api/v1/admin/measures', { ...measures, end_at: time }),
    await staff.post('/api/v1/admin/dimensions', { ...measures, keys: ['languages'], end_at: time }),
    await staff.post('/api/v1/admin/retention', { ...measures, end_at: time, frequency: 'day' }),
    await staff.get(`/api/v2/search?type=statuses&q=x+before:${time}`),
    await staff.get(`/api/v2/search?type=statuses&q=x+during:${time}`),
  ];
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 422));
});
