import { expect, test } from 'vitest';
import { cleanUpImports } from '../../../server/account-data/clean-up.ts';
import { stepOf } from '../../../server/account-data/imports/run-import.ts';
import { importTypes, type ImportType } from '../../../server/account-data/imports/schema.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const imports = '/api/v1/fieldfare/imports';
const exports = '/api/v1/fieldfare/exports';

const upload = (user: TestUser, type: string, csv: string, mode = 'merge') => user.post(imports, { type, csv, mode });

/** Imports a file and returns what became of it. */
async function importFile(server: TestServer, user: TestUser, ...file: [type: string, csv: string, mode?: string]) {
  const { json, status, text } = await upload(user, ...file);
  expect(status, text).toBe(200);
  await user.post(`${imports}/${json.id}/confirm`);
  await server.drain();
  return (await user.get(`${imports}/${json.id}`)).json;
}

test('a file is checked first, and imported once it is confirmed', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const csv = `Account address,Show boosts,Notify on new posts,Languages\n@bob@${server.app.config.domain},false,true,"en, de"\nnobody\nbob,true,false,\nBOB,,,\nnot an address,true,,\n`;
  const { json: checked } = await upload(alice, 'following', csv);
  expect(checked).toMatchObject({
    type: 'following',
    mode: 'merge',
    state: 'unconfirmed',
    total_count: 3,
    imported_count: 0,
    failed_count: 1,
    to_remove_count: null,
    failures: [{ line: 6, target: 'not an address', problem: 'invalid' }],
  });
  await server.drain();
  expect((await alice.get(exports)).json.following).toBe(0);

  const started = await alice.post(`${imports}/${checked.id}/confirm`);
  expect(started.json.state).toBe('adding');
  await alice.post(`${imports}/${checked.id}/confirm`);
  await server.drain();
  const { json: done } = await alice.get(`${imports}/${checked.id}`);
  expect(done).toMatchObject({ state: 'finished', imported_count: 1, failed_count: 2 });
  expect(done.failures[0]).toMatchObject({
    line: 3,
    target: `nobody@${server.app.config.domain}`,
    problem: 'not_found',
  });
  expect((await alice.get(`${exports}/following`)).text).toContain(
    `bob@${server.app.config.domain},false,true,"en, de"`,
  );
  expect((await bob.get('/api/v1/notifications')).json).toHaveLength(1);
  const failures = await alice.get(`${imports}/${checked.id}/failures`);
  expect(failures.text).toBe(
    `Account address,Show boosts,Notify on new posts,Languages,Problem\nnobody@${server.app.config.domain},true,false,,not_found\nnot an address,true,false,,invalid\n`,
  );
});

test('what one account exports another imports, and an overwriting import removes all else', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dora] = [
    await server.user('alice'),
    await server.user('bob'),
    await server.user('carol'),
    await server.user('dora'),
  ];
  const post = await carol.post('/api/v1/statuses', { status: 'worth keeping' });
  const other = await carol.post('/api/v1/statuses', { status: 'not any more' });
  await alice.post(`/api/v1/accounts/${carol.id}/follow`);
  await alice.post(`/api/v1/accounts/${dora.id}/mute`, { notifications: false });
  await alice.post(`/api/v1/accounts/${dora.id}/block`);
  await alice.post('/api/v1/domain_blocks', { domain: 'spam.test' });
  await alice.post(`/api/v1/statuses/${post.json.id}/bookmark`);
  const list = await alice.post('/api/v1/lists', { title: '=cmd|"Näher, dran"' });
  await alice.post(`/api/v1/lists/${list.json.id}/accounts`, { account_ids: [carol.id] });

  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await bob.post(`/api/v1/accounts/${alice.id}/mute`);
  await bob.post('/api/v1/domain_blocks', { domain: 'old.test' });
  await bob.post(`/api/v1/statuses/${other.json.id}/bookmark`);
  const old = await bob.post('/api/v1/lists', { title: 'Old' });
  await bob.post(`/api/v1/lists/${old.json.id}/accounts`, { account_ids: [alice.id] });

  for (const type of ['following', 'mutes', 'blocks', 'domain_blocks', 'bookmarks', 'lists']) {
    const { text } = await alice.get(`${exports}/${type}`);
    const checked = await upload(bob, type, text, 'overwrite');
    expect(checked.json, type).toMatchObject({ mode: 'overwrite', to_remove_count: type === 'blocks' ? 0 : 1 });
    const done = await importFile(server, bob, type, text, 'overwrite');
    expect(done, type).toMatchObject({ state: 'finished', imported_count: 1, failed_count: 0, total_count: 1 });
    expect(done.removed_count, type).toBe(type === 'blocks' ? 0 : 1);
    expect((await bob.get(`${exports}/${type}`)).text, type).toBe(text);
    // A spreadsheet does not run what the file has.
    expect(text, type).not.toMatch(/^"?[=+\-@\t]/m);
  }
  const titles = (await bob.get('/api/v1/lists')).json.map(({ title }: { title: string }) => title);
  expect(titles).toContain('=cmd|"Näher, dran"');
  const again = await importFile(server, bob, 'following', (await alice.get(`${exports}/following`)).text);
  expect(again).toMatchObject({ imported_count: 1, removed_count: 0 });
  expect((await carol.get('/api/v1/notifications')).json).toHaveLength(2);
});

test('files of several steps are imported in full, also after a step was repeated', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const domains = Array.from({ length: 25 }, (_, index) => `bad${index}.test`);
  const { json } = await upload(alice, 'domain_blocks', domains.join('\n'));
  await alice.post(`${imports}/${json.id}/confirm`);
  // The job of a process that was killed runs again.
  await transaction(server.app, async ({ enqueue }) => enqueue(stepOf(json.id)));
  await server.drain();
  expect((await alice.get(`${imports}/${json.id}`)).json).toMatchObject({ state: 'finished', imported_count: 25 });
  expect((await alice.get(exports)).json.domain_blocks).toBe(25);
});

test('files that cannot be imported are refused with the reason', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const errorOf = async (type: string, csv: string) => {
    const { status, json } = await upload(alice, type, csv);
    return [status, json.error];
  };
  expect(await errorOf('blocks', '')).toEqual([422, 'Validation failed: The file has no lines']);
  expect(await errorOf('blocks', 'Account address\n')).toEqual([422, 'Validation failed: The file has no lines']);
  expect(await errorOf('blocks', 'Account address\n"a')).toEqual([
    422,
    'Validation failed: The file is not CSV from line 2 on',
  ]);
  expect(await errorOf('blocks', 'a@b.test\n'.repeat(20_001))).toEqual([
    422,
    'Validation failed: The file has more than 20000 lines',
  ]);
  expect((await errorOf('passwords', 'a'))[0]).toBe(422);
  expect((await alice.get(imports)).json).toEqual([]);
});

const targets = Array.from({ length: 5 }, (_, number) => `person${number}@server${number}.test`);
const files: Readonly<Record<ImportType, { readonly header: string; readonly lines: readonly string[] }>> = {
  following: { header: 'Account address,Show boosts', lines: targets.map((target) => `${target},true`) },
  blocks: { header: 'Account address', lines: targets },
  mutes: { header: 'Account address,Hide notifications', lines: targets.map((target) => `"${target}",true`) },
  domain_blocks: { header: '#domain', lines: targets.map((target) => target.split('@')[1] ?? '') },
  lists: { header: 'List name,Account address', lines: targets.map((target) => `"two\r\nlines",${target}`) },
  bookmarks: { header: '#uri', lines: targets.map((_, number) => `https://a.test/${number}`) },
};

test('a file with several kinds of line end loses no line, whatever its type', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const type of importTypes) {
    const { header, lines } = files[type];
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = lines;
    for (const csv of [
      `\uFEFF${header}\r\n${lines.join('\n')}`,
      `${header}\n${lines.join('\r\n')}\r\n\r\n\n`,
      `${header}\r${lines.join('\r')}\r`,
      `${first}\r\n${second}\n${third}\r${fourth}\u2028${fifth}`,
      `${header}\r\n${first}\r\n${second}\r\n\uFEFF${header}\n${third}\n${fourth}\r\r${fifth}`,
    ]) {
      const { json } = await upload(alice, type, csv);
      expect([type, csv, json.total_count, json.failed_count]).toEqual([type, csv, 5, 0]);
    }
  }
});

test('imports belong to their account, need scopes, and one of a type runs at a time', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { json } = await upload(alice, 'blocks', 'eve@far.test');
  for (const [method, path] of [
    ['get', `${imports}/${json.id}`],
    ['get', `${imports}/${json.id}/failures`],
    ['post', `${imports}/${json.id}/confirm`],
    ['delete', `${imports}/${json.id}`],
  ] as const)
    expect((await bob[method](path)).status, `${method} ${path}`).toBe(404);
  const reader = await server.withScopes(alice, 'read');
  expect((await upload(reader, 'blocks', 'x')).status).toBe(403);
  expect((await reader.post(`${imports}/${json.id}/confirm`)).status).toBe(403);
  expect((await server.anonymous.get(imports)).status).toBe(401);

  const replaced = await upload(alice, 'blocks', 'bob');
  expect((await alice.get(imports)).json.map(({ id }: { id: string }) => id)).toEqual([replaced.json.id]);
  await alice.post(`${imports}/${replaced.json.id}/confirm`);
  const second = await upload(alice, 'blocks', 'bob');
  expect([second.status, second.json.error]).toEqual([409, 'An import of this kind is running']);
  expect((await upload(alice, 'mutes', 'bob')).status).toBe(200);
  expect((await alice.delete(`${imports}/${replaced.json.id}`)).status).toBe(200);
  await server.drain();
  expect((await alice.get(exports)).json.blocks).toBe(0);
});

test('a follow that is not allowed is named, and imports are deleted in time and with their account', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/block`);
  const done = await importFile(server, alice, 'following', 'Account address\nbob\nalice\n');
  expect(done.failures.map(({ problem }: { problem: string }) => problem)).toEqual(['refused', 'refused']);
  await upload(alice, 'mutes', 'bob');
  server.clock.advance(2 * 86_400);
  await cleanUpImports.run(server.app);
  expect((await alice.get(imports)).json).toHaveLength(1);
  server.clock.advance(30 * 86_400);
  await cleanUpImports.run(server.app);
  expect((await alice.get(imports)).json).toEqual([]);
});

test('an account keeps its last 20 finished imports, with 100 failed lines each', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const invalid = Array.from({ length: 90 }, (_, at) => `not an address ${at} ${'x'.repeat(1_000)}`);
  const unknown = Array.from({ length: 40 }, (_, at) => `nobody${at}`);
  const imported = await importFile(server, alice, 'blocks', ['Account address', ...unknown, ...invalid].join('\n'));
  expect(imported).toMatchObject({ state: 'finished', total_count: 130, failed_count: 130, imported_count: 0 });
  expect(imported.failures).toHaveLength(100);
  expect(imported.failures.at(-1)).toEqual({
    line: 131,
    target: invalid.at(-1)?.slice(0, 256),
    problem: 'invalid',
  });
  const failures = (await alice.get(`${imports}/${imported.id}/failures`)).text;
  expect(failures.trim().split('\n')).toHaveLength(101);
  const garbage = await upload(
    alice,
    'blocks',
    ['Account address', ...invalid, ...invalid.map((line) => `${line}!`)].join('\n'),
  );
  expect(garbage.json).toMatchObject({ total_count: 90, failed_count: 90 });
  await server.pool.query(`insert into imports (id, account_id, type, overwrite, state, total, created_at)
    select number, ${alice.id}, 'mutes', false, 'finished', 1, now() from generate_series(1, 25) as number`);
  await importFile(server, alice, 'mutes', 'nobody');
  const { rows } = await server.pool.query(`select count(*)::int as count from imports where state = 'finished'`);
  expect(rows).toEqual([{ count: 20 }]);
  expect((await alice.get(`${imports}/${imported.id}`)).status).toBe(200);
});

test('an import of a suspended account keeps none of its pending lines', async () => {
  await using server = await startServer();
  const [alice, staff] = [
    await server.user('alice'),
    await server.user('carol', { role: 'admin', scopes: 'admin:write' }),
  ];
  const { json } = await upload(alice, 'blocks', 'bob\neve');
  await alice.post(`${imports}/${json.id}/confirm`);
  await staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'suspend' });
  await server.drain();
  expect((await server.pool.query('select from import_rows')).rowCount).toBe(0);
});

test('files to import are limited to 20 in an hour', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (let count = 0; count < 20; count += 1) expect((await upload(alice, 'blocks', 'eve')).status).toBe(200);
  expect((await upload(alice, 'mutes', 'eve')).status).toBe(429);
  expect((await upload(bob, 'blocks', 'eve')).status).toBe(200);
  server.clock.advance(3_601);
  expect((await upload(alice, 'mutes', 'eve')).status).toBe(200);
});
