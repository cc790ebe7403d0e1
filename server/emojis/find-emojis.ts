import { sql, type Selectable } from 'kysely';
import { buildProxyUrl, type MediaUrl } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { LoadingCache, BatchLoadingCache } from '../platform/caching/cache.ts';
import { evict, evictAll } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { domainPolicy } from '../site/domains/index.ts';
import { emojisChanged, remoteEmojiChanged } from './events.ts';
import { extractShortcodes } from './shortcodes.ts';
import type { EmojiTables } from './tables.ts';

export type EmojiRow = Selectable<EmojiTables['custom_emojis']>;

/** A custom emoji with the URLs of its images. */
export interface Emoji extends EmojiRow {
  readonly url: MediaUrl;
  readonly staticUrl: MediaUrl;
}

/** Texts or safe HTML, and the domain of their author (null: local), whose emojis they use. */
export interface EmojiTexts {
  readonly texts: readonly string[];
  readonly domain: string | null;
}

const keyOf = (domain: string, shortcode: string): string => `${shortcode} ${domain}`;

const ttlMs = 300_000;

export const localCache = new LoadingCache<'all', ReadonlyMap<string, Emoji>>({
  name: 'emojis.local',
  maxSize: 1,
  ttlMs,
  load: queryLocalEmojis,
  evictOn: [evictAll(emojisChanged)],
});

/** By domain and shortcode; `missing` where there is none. */
export const remoteCache = new BatchLoadingCache<string, Emoji | 'missing'>({
  name: 'emojis.remote',
  maxSize: 20_000,
  ttlMs,
  loadMany: queryRemoteEmojis,
  evictOn: [evict(remoteEmojiChanged, ({ domain, shortcode }) => [keyOf(domain, shortcode)])],
});

const selectLocalRows = preparedQuery<EmojiRow>()((db) =>
  db
    .selectFrom('custom_emojis')
    .selectAll()
    .where('domain', 'is', null)
    .where('disabled', '=', false)
    .orderBy('shortcode'),
);

const selectRemoteRows = preparedQuery<EmojiRow>()((db, args: { domains: string[]; shortcodes: string[] }) =>
  db
    .selectFrom('custom_emojis')
    .selectAll()
    .where(
      sql<boolean>`(domain, shortcode) in (select * from unnest(${args.domains}::text[], ${args.shortcodes}::text[]))`,
    ),
);

async function queryLocalEmojis(app: App): Promise<ReadonlyMap<string, Emoji>> {
  const rows = await selectLocalRows(app, {});
  return new Map(
    rows.map((row) => {
      const stored = (key: string | null) => (key === null ? '' : app.storage.url(key));
      return [row.shortcode, { ...row, url: stored(row.image_key), staticUrl: stored(row.static_key) }];
    }),
  );
}

/** Loads the enabled local emojis, ordered by shortcode. Cached. */
export function loadLocalEmojis(app: App): Promise<ReadonlyMap<string, Emoji>> {
  return localCache.get(app, 'all');
}

/** Loads remote emojis, also disabled ones: one query for those that are not cached. */
export async function loadRemoteEmojis(
  app: App,
  names: readonly { readonly domain: string; readonly shortcode: string }[],
): Promise<Map<string, Emoji>> {
  const keys = names.map(({ domain, shortcode }) => keyOf(domain, shortcode));
  const found = await remoteCache.getMany(app, new Set(keys));
  return new Map([...found].flatMap(([key, emoji]): [string, Emoji][] => (emoji === 'missing' ? [] : [[key, emoji]])));
}

async function queryRemoteEmojis(app: App, keys: readonly string[]): Promise<Map<string, Emoji | 'missing'>> {
  const names = keys.map((key) => key.split(' ') as [shortcode: string, domain: string]);
  const rows = await selectRemoteRows(app, {
    domains: names.map(([, domain]) => domain),
    shortcodes: names.map(([shortcode]) => shortcode),
  });
  const loaded = new Map<string, Emoji | 'missing'>(keys.map((key) => [key, 'missing']));
  for (const row of rows) {
    const url = await buildProxyUrl(app, row.remote_url ?? '');
    loaded.set(keyOf(row.domain ?? '', row.shortcode), { ...row, url, staticUrl: url });
  }
  return loaded;
}

/**
 * Finds the emojis in each source, in the order of its text: no query without a `:shortcode:`, otherwise at most two. Domains
 * whose media are rejected have none.
 */
export async function findEmojisIn(app: App, sources: readonly EmojiTexts[]): Promise<Emoji[][]> {
  const requests = sources.map(({ texts, domain }) => ({ domain, shortcodes: extractShortcodes(texts) }));
  const names = await removeRejected(
    app,
    requests.flatMap(({ domain, shortcodes }) =>
      domain === null ? [] : shortcodes.map((shortcode) => ({ domain, shortcode })),
    ),
  );
  const needsLocal = requests.some(({ domain, shortcodes }) => domain === null && shortcodes.length > 0);
  const [local, remote] = await Promise.all([
    needsLocal ? loadLocalEmojis(app) : new Map<string, Emoji>(),
    names.length > 0 ? loadRemoteEmojis(app, names) : new Map<string, Emoji>(),
  ]);
  return requests.map(({ domain, shortcodes }) =>
    shortcodes.flatMap((shortcode) => {
      const emoji = domain === null ? local.get(shortcode) : remote.get(keyOf(domain, shortcode));
      return emoji === undefined || emoji.disabled ? [] : [emoji];
    }),
  );
}

async function removeRejected<Name extends { readonly domain: string }>(
  app: App,
  names: readonly Name[],
): Promise<readonly Name[]> {
  if (names.length === 0) return names;
  const policy = await domainPolicy(app);
  return names.filter(({ domain }) => !policy.ruleFor(domain).rejectMedia);
}
