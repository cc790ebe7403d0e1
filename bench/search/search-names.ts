import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';

/** What users type to find accounts. */
export interface NameClass {
  readonly name: string;
  readonly texts: readonly string[];
}

const nameCount = 40;

/** Draws names of seeded accounts: whole, their beginnings, and with a letter left out. */
export async function drawNames(app: App): Promise<NameClass[]> {
  const { rows } = await sql<{ username: string }>`
    select username from accounts where domain is null and char_length(username) > 8 order by md5(username)
    limit ${nameCount}`.execute(app.db);
  const names = rows.map(({ username }) => username);
  return [
    { name: 'a whole name', texts: names },
    { name: 'the first five letters', texts: names.map((name) => name.slice(0, 5)) },
    { name: 'the first three letters', texts: names.map((name) => name.slice(0, 3)) },
    { name: 'a letter left out', texts: names.map((name) => name.slice(0, 3) + name.slice(4)) },
  ];
}
