import { sql } from 'kysely';
import type { Write } from '../platform/database/write.ts';
import type { StatusId } from '../platform/ids.ts';

/** Links of one post that are looked at. */
const mostLinks = 20;

/**
 * Keeps which collections a post links to, by their pages or their ids; what it linked to before is forgotten. `html`: its
 * content; `uris`: of collections that it names besides.
 */
export async function tagCollections(
  { db }: Write,
  statusId: StatusId,
  { html, uris = [], fresh }: { html: string; uris?: readonly string[] | undefined; fresh: boolean },
): Promise<void> {
  if (!fresh) await db.deleteFrom('tagged_collections').where('status_id', '=', statusId).execute();
  const addresses = [...new Set([...linksIn(html), ...uris])].slice(0, mostLinks);
  if (addresses.length === 0) return;
  await sql`
    insert into tagged_collections (status_id, collection_id)
    select ${statusId}::bigint, id from collections
    where uri = any(${addresses}::text[]) or url = any(${addresses}::text[])
    on conflict do nothing`.execute(db);
}

/** Where a post leads, but for mentions and hashtags. */
function linksIn(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]*>/g)].flatMap(([tag]) => {
    if (/\sclass="[^"]*\b(?:mention|hashtag)\b/.test(tag)) return [];
    const href = /\shref="(https?:\/\/[^"]+)"/.exec(tag)?.[1];
    return href === undefined ? [] : href.replaceAll('&amp;', '&');
  });
}
