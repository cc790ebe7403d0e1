import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { newId } from '../platform/ids.ts';
import { remoteEmojiChanged } from './events.ts';
import { loadRemoteEmojis, type Emoji } from './find-emojis.ts';
import { isShortcode } from './shortcodes.ts';

/** An emoji in a remote document, not validated yet. */
export interface RemoteEmoji {
  readonly shortcode: string;
  /** URL of its image. */
  readonly url: string;
  /** When the image last changed; undefined if unknown. */
  readonly updatedAt: Date | undefined;
}

/** Per document. */
const maxEmojis = 100;
/** reference/federation.tsv, "emoji shortcode". */
const maxShortcodeLength = 2_048;
const maxUrlLength = 2_048;

/**
 * Stores the emojis of a document of `domain`; existing ones only if their image has another URL or is newer. Ignores
 * invalid shortcodes and URLs that are not http(s). Call it before storing what uses them.
 */
export async function storeRemoteEmojis(app: App, domain: string, emojis: readonly RemoteEmoji[]): Promise<void> {
  const wanted = new Map(emojis.filter(isUsable).map((emoji) => [emoji.shortcode, { domain, ...emoji }]));
  const named = [...wanted.values()].slice(0, maxEmojis);
  if (named.length === 0) return;
  const existing = new Map(
    Array.from((await loadRemoteEmojis(app, named)).values(), (emoji) => [emoji.shortcode, emoji]),
  );
  const changed = named.filter((emoji) => hasChanged(emoji, existing.get(emoji.shortcode)));
  if (changed.length === 0) return;
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    await sql`
      insert into custom_emojis (id, shortcode, domain, remote_url, created_at, updated_at)
      select emoji.id, emoji.shortcode, ${domain}, emoji.url, ${now}, emoji.updated_at
      from unnest(${changed.map(() => newId<'emoji'>(now))}::bigint[], ${changed.map(({ shortcode }) => shortcode)}::text[],
        ${changed.map(({ url }) => url)}::text[], ${changed.map(({ updatedAt }) => updatedAt ?? now)}::timestamptz[])
        as emoji(id, shortcode, url, updated_at)
      order by emoji.shortcode
      on conflict (domain, shortcode) do update set remote_url = excluded.remote_url, updated_at = excluded.updated_at`.execute(
      tx.db,
    );
    for (const { shortcode } of changed) tx.emit(remoteEmojiChanged({ domain, shortcode }));
  });
}

function isUsable({ shortcode, url }: RemoteEmoji): boolean {
  if (shortcode.length > maxShortcodeLength || !isShortcode(shortcode)) return false;
  return url.length <= maxUrlLength && URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

function hasChanged({ url, updatedAt }: RemoteEmoji, known: Emoji | undefined): boolean {
  if (known === undefined || known.remote_url !== url) return true;
  return updatedAt !== undefined && updatedAt.getTime() > known.updated_at.getTime();
}
