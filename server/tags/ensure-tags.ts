import { sql } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type TagId } from '../platform/ids.ts';
import { isTagName, normalizeTag } from '../text/index.ts';

/**
 * Returns the ids of hashtags by normalised name and creates missing ones. `names` may have any spelling, with or without
 * `#`; invalid ones are skipped. Those of `publicNames`, a part of them, are marked as used by a public or unlisted post.
 * One statement for any number of names, safe against parallel inserts.
 */
export async function ensureTags(
  { db }: Transaction,
  names: readonly string[],
  now: Date,
  publicNames: readonly string[] = [],
): Promise<Map<string, TagId>> {
  const publicOnes = new Set(publicNames.map(normalizeTag));
  const spellings = new Map<string, string>();
  for (const name of names) {
    const normalised = normalizeTag(name);
    if (isTagName(normalised) && !spellings.has(normalised)) spellings.set(normalised, name.replace(/^[#＃]/u, ''));
  }
  const ids = new Map<string, TagId>();
  // If a parallel transaction inserts the same hashtag, this statement waits and returns nothing. The next round finds it.
  for (let round = 0; ids.size < spellings.size && round < 3; round += 1) {
    // All in one order, so that two transactions never wait for each other.
    const missing = [...spellings.keys()].filter((name) => !ids.has(name)).toSorted();
    const { rows } = await sql<{ id: TagId; name: string }>`
      with given as (
        select * from unnest(
          ${missing.map(() => newId<'tag'>(now))}::bigint[],
          ${missing}::text[],
          ${missing.map((name) => spellings.get(name) ?? name)}::text[],
          ${missing.map((name) => publicOnes.has(name))}::boolean[]
        ) as given (id, name, display_name, is_public)
      ), existing as (
        select tags.id, tags.name, given.is_public and not tags.was_public as becomes_public
        from tags join given using (name)
      ), published as (
        update tags set was_public = true where id in (
          select id from tags where id in (select id from existing where becomes_public) order by id for update)
      ), inserted as (
        insert into tags (id, name, display_name, was_public, created_at)
        select id, name, display_name, is_public, ${now}::timestamptz from given
        where name not in (select name from existing)
        order by name
        on conflict (name) do nothing
        returning id, name
      )
      select id, name from existing union all select id, name from inserted`.execute(db);
    for (const { id, name } of rows) ids.set(name, id);
  }
  return ids;
}

/** Marks hashtags as used by a public or unlisted post. */
export async function publishTags({ db }: Transaction, ids: readonly TagId[]): Promise<void> {
  await sql`
    update tags set was_public = true where id in (
      select id from tags where id = any(${ids}::bigint[]) and not was_public order by id for update)`.execute(db);
}
