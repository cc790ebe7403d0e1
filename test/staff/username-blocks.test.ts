import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeUsername } from '../../server/users/username-blocks/index.ts';
import { startServer, type TestServer } from '../server.ts';

const blocks = '/api/v1/fieldfare/admin/username_blocks';

const startWithStaff = async () => {
  const server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  return { server, staff };
};

async function signUp(server: TestServer, username: string) {
  const body = { username, email: `${username}@mail.test`, password: 'correct horse battery', agreement: true };
  return (await server.appToken()).post('/api/v1/accounts', body);
}

const isReserved = { details: { username: [{ error: 'ERR_RESERVED' }] } };

test('ADM-07: staff block usernames; invalid and repeated ones are 422 and name the field', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  const created = await staff.post(blocks, { username: ' @Gull_1 ', allow_with_approval: 'true' });
  expect([created.status, created.json]).toMatchObject([
    200,
    { username: 'gull_1', comparison: 'equals', allow_with_approval: true },
  ]);
  const path = `${blocks}/${created.json.id}`;
  expect((await staff.get(path)).json).toEqual(created.json);
  for (const [body, error] of [
    [{}, "Username can't be blank"],
    [{ username: 'a'.repeat(31) }, 'Username is too long (maximum is 30 characters)'],
    [{ username: 'no name' }, 'Username must contain only letters, numbers and underscores'],
    [{ username: 'GULL_1' }, 'Username has already been taken'],
  ] as const) {
    const { status, json } = await staff.post(blocks, body);
    expect([status, json.error]).toEqual([422, `Validation failed: ${error}`]);
  }
  expect((await staff.post(blocks, { username: 'tern', comparison: 'begins' })).status).toBe(422);
  expect((await staff.put(path, { username: 'admin' })).json.error).toContain('has already been taken');
  const changed = await staff.put(path, { comparison: 'contains' });
  expect(changed.json).toEqual({ ...created.json, comparison: 'contains' });
  expect((await staff.put(path, {})).json).toEqual(changed.json);
  expect((await staff.delete(path)).json).toEqual({});
  for (const { status } of [await staff.get(path), await staff.put(path, {}), await staff.delete(path)])
    expect(status).toBe(404);
  const { rows } = await server.pool.query(
    `select action, target_label, before, after from audit_log where target_type = 'username_block' order by id`,
  );
  const details = { username: 'gull_1', exact: true, allow_with_approval: true };
  expect(rows).toEqual([
    { action: 'username_block.create', target_label: 'gull_1', before: null, after: details },
    { action: 'username_block.update', target_label: 'gull_1', before: details, after: { ...details, exact: false } },
    { action: 'username_block.delete', target_label: 'gull_1', before: { ...details, exact: false }, after: null },
  ]);
});

test('ADM-07, REG-01: a blocked username refuses sign-ups and groups, and one with approval holds the sign-up', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  await staff.post(blocks, { username: 'ruff' });
  await staff.post(blocks, { username: 'stork', comparison: 'contains' });
  await staff.post(blocks, { username: 'egret', comparison: 'contains', allow_with_approval: true });
  for (const name of ['ruff', 'RUFF', 'st0rk', 'white_Stork_2', 'storkegret']) {
    const { status, json } = await signUp(server, name);
    expect([status, json], name).toMatchObject([422, isReserved]);
  }
  for (const [name, approved] of [
    ['ruffian', true],
    ['gr3at_3gret', false],
  ] as const) {
    expect((await signUp(server, name)).status, name).toBe(200);
    const user = await server.db
      .selectFrom('users')
      .select('approved')
      .where('email', '=', `${name}@mail.test`)
      .executeTakeFirst();
    expect(user?.approved, name).toBe(approved);
  }
  const mia = await server.user('mia', { role: 'owner' });
  for (const [username, status] of [
    ['stork_watchers', 422],
    ['egret_watchers', 422],
    ['heron_watchers', 200],
  ] as const)
    expect((await mia.post('/api/v1/fieldfare/groups', { username })).status, username).toBe(status);
});

test('ADM-07: names of staff are blocked until staff remove them, those of addresses of the server stay', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  expect((await signUp(server, 'moderat0r')).json).toMatchObject(isReserved);
  const { json } = await staff.get(`${blocks}?limit=100`);
  const moderator = json.find(({ username }: { username: string }) => username === 'moderator');
  await staff.delete(`${blocks}/${moderator.id}`);
  expect((await signUp(server, 'moderator')).status).toBe(200);
  expect((await signUp(server, 'inbox')).json).toMatchObject(isReserved);
});

test('ADM-07: a name and the same with other letters and digits that look alike are compared as one', () => {
  const letters = 'oizeas tbg';
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_]{1,30}$/), (name) => {
      const disguised = [...name.toUpperCase()].map((letter) => {
        const digit = letters.indexOf(letter.toLowerCase());
        return digit === -1 ? letter : String(digit);
      });
      expect(normalizeUsername(disguised.join(''))).toBe(normalizeUsername(name));
    }),
  );
});
