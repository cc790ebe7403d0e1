import { sql } from 'kysely';
import type { Transaction } from '../platform/database/transaction.ts';
import { newId, type TagId } from '../platform/ids.ts';
import { isTagName, normalizeTag } from '../text/index.ts';

/**
 * Returns the ids of hashtags by normalised name and creates missing ones. `names` may have any spelling, with or without
 * `#`; invalid ones are skipped. One statement for any number of names, safe against parallel inserts.
 */
export async function ensureTags(
  { db }: Transaction,
  names: readonly string[],
  now: Date,
): Promise<Map<string, TagId>> {
  const wanted = new Map<string, string>();
  for (const name of names) {
    const normalised = normalizeTag(name);
    if (isTagName(normalised) && !wanted.has(normalised)) wanted.set(normalised, name.replace(/^[#＃]/u, ''));
  }
  const ids = new Map<string, TagId>();
  // Where two who make the same tag meet, the statement of the second waits and sees nothing; asked again, it sees the tag.
  for (let round = 0; ids.size < wanted.size && round < 3; round += 1) {
    // All in one order, so that two transactions never wait for each other.
    const missing = [...wanted.keys()].filter((name) => !ids.has(name)).toSorted();
    const { rows } = await sql<{ id: TagId; name: string }>`
      with given as (
        select * from unnest(
          ${missing.map(() => newId<'tag'>(now))}::bigint[],
          ${missing}::text[],
          ${missing.map((name) => wanted.get(name) ?? name)}::text[]
        ) as given (id, name, display_name)
      ), known as (
        select tags.id, tags.name from tags join given using (name)
      ), made as (
        insert into tags (id, name, display_name, created_at)
        select id, name, display_name, ${now}::timestamptz from given
        where name not in (select name from known)
        order by name
        on conflict (name) do nothing
        returning id, name
      )
      select id, name from known union all select id, name from made`.execute(db);
    for (const { id, name } of rows) ids.set(name, id);
  }
  return ids;
}
