import { sql } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';
import type { StatusId } from '../platform/ids.ts';
import { writable } from './tables.ts';

/** Maximum number of links of one post that are checked. */
const maxLinks = 20;

/** A post that may link to collections. */
export interface LinkedStatus {
  readonly statusId: StatusId;
  /** Content of the post. */
  readonly html: string;
  /** URIs of further collections that the post names. */
  readonly uris?: readonly string[] | undefined;
}

/**
 * Stores which collections posts link to, by page or URI: one statement for any number of posts, none if there are no
 * links.
 */
export async function tagCollections({ db }: Transaction, posts: readonly LinkedStatus[]): Promise<void> {
  const links = posts.flatMap(({ statusId, html, uris = [] }) =>
    [...new Set([...uris, ...extractLinks(html)])].slice(0, maxLinks).map((address) => ({ statusId, address })),
  );
  if (links.length === 0) return;
  await sql`
    insert into tagged_collections (status_id, collection_id)
    select link.status_id, collections.id
    from unnest(${links.map(({ statusId }) => statusId)}::bigint[], ${links.map(({ address }) => address)}::text[])
      as link(status_id, address)
      cross join lateral (
        select id from collections where uri = link.address union select id from collections where url = link.address
      ) as collections
    on conflict do nothing`.execute(db);
}

/** Deletes the links of a post to collections. */
export async function untagCollections({ db }: Transaction, statusId: StatusId): Promise<void> {
  await writable(db).deleteFrom('tagged_collections').where('status_id', '=', statusId).execute();
}

/** Returns the links of a post, except mentions and hashtags. */
function extractLinks(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]*>/g)].flatMap(([tag]) => {
    if (/\sclass="[^"]*\b(?:mention|hashtag)\b/.test(tag)) return [];
    const href = /\shref="(https?:\/\/[^"]+)"/.exec(tag)?.[1];
    return href === undefined ? [] : href.replaceAll('&amp;', '&');
  });
}
