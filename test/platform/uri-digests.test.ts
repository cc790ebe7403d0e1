import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hasAddress, hasAnyAddress } from '../../server/platform/database/has-address.ts';
import { startServer } from '../server.ts';

test('posts and conversations are found by the digest of their uri', async () => {
  await using server = await startServer();
  const uri = 'https://far.test/notes/1';
  await server.db.connection().execute(async (db) => {
    await sql`set enable_seqscan = off`.execute(db);
    for (const table of ['statuses', 'conversations'])
      for (const condition of [hasAddress(`${table}.uri`, uri), hasAnyAddress(`${table}.uri`, [uri, `${uri}/`])]) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain select from ${sql.table(table)} where ${condition}`.execute(db);
        expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${table}_uri_digest`);
      }
    await sql`reset enable_seqscan`.execute(db);
  });
});

/** Whether a source has a statement that looks for posts or conversations by their uri without its digest. */
const comparesUri = (source: string): boolean =>
  /\b(?:from|join) (?:statuses|conversations)\b(?:(?!\bfrom\b)[^;`])*(?:\bstatuses\.|(?<![.\w]))uri (?:=|in) (?:\$|any)/u.test(
    source,
  ) || /selectFrom\('(?:statuses|conversations)'\)[^;]*\('(?:statuses\.)?uri', '(?:=|in)'/u.test(source);

test('no statement looks for posts or conversations by their uri without its digest', () => {
  expect(comparesUri('select id from statuses where uri = ${uri}')).toBe(true);
  expect(comparesUri(`db.selectFrom('statuses').select('id').where('uri', '=', uri)`)).toBe(true);
  const root = join(import.meta.dirname, '..', '..', 'server');
  const found = globSync('**/*.ts', { cwd: root }).filter((file) =>
    comparesUri(readFileSync(join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
});
