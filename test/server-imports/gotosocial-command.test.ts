import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openCommandLine } from '../ops/command-line.ts';
import { createEmptyDatabase } from '../ops/database.ts';
import { domain } from './gotosocial-rows.ts';
import { createGotosocial } from './gotosocial-scene.ts';
import { environmentFile, MastodonDatabase } from './mastodon-scene.ts';

const settings = { BASE_URL: `https://${domain}` };

test('a dry run counts what is taken and what is lost, and leaves nothing', async () => {
  await using command = await openCommandLine(settings);
  await using source = await createGotosocial('sqlite', '0.20');
  const words = ['import', 'gotosocial', '--database', source.address];
  const dryRun = await command.run(...words, '--dry-run');
  expect(dryRun).toMatch(/^posts +12 +11 +1 boosts that wait for the approval of an author, and replies to others$/m);
  expect(dryRun).toMatch(/^header_filter_blocks +1 +Fieldfare has nothing like it$/m);
  expect(dryRun).toContain('Nothing was written.');
  const client = await command.database.connect();
  const left = `select from accounts union all select from server_import_steps
    union all select from pg_namespace where nspname = 'gotosocial'`;
  expect((await client.query(left)).rowCount).toBe(0);
  await client.end();

  const json = await command.runJson<{ tables: { name: string; taken: number }[]; result: { refused: number } }>(
    ...words,
  );
  expect(json.tables).toContainEqual({ name: 'bookmarks', total: 1, taken: 1, left_out: [] });
  expect(json.result).toMatchObject({ refused: 0, isLater: false });
  await using mastodon = await MastodonDatabase.create('4.2');
  await command.refuse(
    ['import', 'mastodon', '--database', mastodon.url, '--env', environmentFile([`LOCAL_DOMAIN=${domain}`])],
    'The database has an import of a GoToSocial.',
  );
  await command.database.query('drop schema gotosocial cascade');
  await command.refuse(words, 'The schema gotosocial of the earlier import is gone');
});

test('an import that cannot work is refused, and leaves nothing', async () => {
  await using command = await openCommandLine({ BASE_URL: 'https://other.test' });
  await using source = await createGotosocial('sqlite', '0.17');
  await using other = await createEmptyDatabase();
  const words = (database: string): string[] => ['import', 'gotosocial', '--database', database];
  await command.refuse(words('/nowhere/sqlite.db'), 'there is no file /nowhere/sqlite.db');
  const text = join(tmpdir(), `ff-not-sqlite-${process.pid}.db`);
  writeFileSync(text, 'This is no database, but long enough to look like one. '.repeat(20));
  await command.refuse(words(text), 'cannot be read as a database of SQLite');
  await command.refuse(words(other.url), 'is not that of a GoToSocial');
  await command.refuse(words('postgres://127.0.0.1:1/gotosocial'), 'cannot be reached');
  await command.refuse([...words(source.address), '--media', '/nowhere'], '/nowhere is no folder');
  await command.refuse(
    words(source.address),
    `The instance actor of the GoToSocial is https://${domain}/users/${domain}`,
  );
  const client = await command.database.connect();
  expect((await client.query(`select from pg_namespace where nspname = 'gotosocial'`)).rowCount).toBe(0);
  await client.end();
  const old = new DatabaseSync(source.address);
  old.exec('drop table interaction_requests');
  old.close();
  await command.refuse(words(source.address), 'older than 0.17');
});
