import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

test('ADM-02: staff write notes about an account, and delete their own and those of lower ranks', async () => {
  await using server = await startServer();
  const scopes = 'admin:read admin:write';
  const [moderator, admin] = [
    await server.user('merle', { role: 'moderator', scopes }),
    await server.user('chief', { role: 'admin', scopes }),
  ];
  const alice = await server.user('alice');
  const path = `/api/v1/fieldfare/admin/accounts/${alice.id}/notes`;
  const add = async (staff: typeof admin, content: string) => (await staff.post(path, { content })).json;
  const [first, second] = [await add(moderator, ' Seen before '), await add(admin, 'Again')];
  expect(first).toEqual({
    id: first.id,
    content: 'Seen before',
    created_at: server.clock.now().toISOString(),
    staff_account_id: moderator.id,
  });
  expect((await moderator.get(path)).json).toEqual([second, first]);
  for (const content of [' ', 'x'.repeat(2001)]) expect((await admin.post(path, { content })).status).toBe(422);
  expect((await admin.post(path.replace(alice.id, '1'), { content: 'x' })).status).toBe(404);

  const remove = async (staff: typeof admin, id: string) =>
    (await staff.delete(`/api/v1/fieldfare/admin/account_notes/${id}`)).status;
  expect(await remove(moderator, second.id)).toBe(403);
  expect((await moderator.get(path)).json).toHaveLength(2);
  expect(await remove(admin, first.id)).toBe(200);
  expect(await remove(admin, first.id)).toBe(404);
  expect(await remove(admin, second.id)).toBe(200);
  expect((await admin.get(path)).json).toEqual([]);
});
