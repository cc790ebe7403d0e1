import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createEmptyDatabase } from '../ops/database.ts';
import { openCommandLine } from '../ops/command-line.ts';
import { createGotosocial } from './gotosocial-scene.ts';
import { domain } from './mastodon-rows.ts';
import { environmentFile, MastodonDatabase } from './mastodon-scene.ts';
import { mastodonSchema } from './mastodon-schema.ts';

const settings = { BASE_URL: `https://${domain}` };

test('a dry run counts what is taken and what is lost, and writes nothing', async () => {
  await using command = await openCommandLine(settings);
  await using source = await MastodonDatabase.create('4.4');
  const words = ['import', 'mastodon', '--database', source.url, '--env', environmentFile()];
  const dryRun = await command.run(...words, '--dry-run');
  expect(dryRun).toMatch(/^posts +11 +10 +1 deleted, and waiting for removal$/m);
  expect(dryRun).toMatch(/^linked sign-ins +3 +0 +1 of SAML or CAS\W+2 of a provider without OIDC_ISSUER$/m);
  expect(dryRun).toContain('Nothing was written.');
  const client = await command.database.connect();
  expect((await client.query('select from accounts union all select from server_import_steps')).rowCount).toBe(0);
  await client.end();

  const json = await command.runJson<{ tables: { name: string; taken: number }[]; result: { refused: number } }>(
    ...words,
  );
  expect(json.tables).toContainEqual({
    name: 'posts',
    total: 11,
    taken: 10,
    left_out: [{ reason: 'deleted, and waiting for removal', count: 1 }],
  });
  expect(json.result).toMatchObject({ refused: 0, isLater: false });
  await using gotosocial = await createGotosocial('sqlite', '0.17');
  await command.refuse(
    ['import', 'gotosocial', '--database', gotosocial.address],
    'The database has an import of a Mastodon.',
  );
});

test('an import that cannot work is refused before anything is read', async () => {
  await using command = await openCommandLine(settings);
  await using source = await MastodonDatabase.create('4.2');
  await using other = await createEmptyDatabase();
  const env = environmentFile();
  const words = (database: string, file = env): string[] => [
    'import',
    'mastodon',
    '--database',
    database,
    '--env',
    file,
  ];
  await command.refuse(words('mastodon.dump'), '--database must be an address');
  await command.refuse(words(other.url), 'is not that of a Mastodon');
  await command.refuse(words(source.url, '/nowhere/.env.production'), '--env: /nowhere/.env.production cannot be read');
  await command.refuse(
    words(source.url, environmentFile(['LOCAL_DOMAIN=other.test'])),
    'The Mastodon is other.test at https://other.test',
  );
  await command.refuse(words(source.url, environmentFile(['VAPID_PUBLIC_KEY=AAAA'])), 'are not a key pair');
  await command.refuse([...words(source.url), '--media', '/nowhere'], '/nowhere is no folder');
  expect(existsSync('/nowhere')).toBe(false);
  await other.query(mastodonSchema('4.2').replaceAll('20230907150100', '20220101000000'));
  await command.refuse(words(other.url), 'older than 4.2');
  // A process that never misses its heartbeat.
  await command.database.query(`insert into lease_holders (id, beat_at) values (gen_random_uuid(), 'infinity')`);
  await command.refuse(words(source.url), 'The server is running. Stop it before you import.');
  await command.database.query('delete from lease_holders');
  await source.client.query('alter table users drop column approved');
  await command.refuse(words(source.url), 'is not as expected');
  await command.database.query(
    `insert into accounts (id, username, uri, created_at, updated_at) values (1, 'early', 'https://birds.test/users/early', now(), now())`,
  );
  await command.refuse(words(source.url), 'has accounts already');
});
