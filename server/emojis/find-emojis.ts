import { sql, type Selectable } from 'kysely';
import { proxiedUrl } from '../media/index.ts';
import { perApp, type App } from '../platform/app.ts';
import { Cache, LoadingCache } from '../platform/cache.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import { shortcodesIn } from './shortcodes.ts';
import type { EmojiTables } from './tables.ts';

export type EmojiRow = Selectable<EmojiTables['custom_emojis']>;

/** A custom emoji that may be shown, with the addresses of its pictures. */
export interface Emoji extends EmojiRow {
  readonly url: string;
  readonly staticUrl: string;
}

/** Texts or safe HTML, and the domain of who wrote them (null: somebody here), whose emojis they use. */
export interface Wording {
  readonly texts: readonly string[];
  readonly domain: string | null;
}

/** Bus channel: the emojis of this server are others now. No message. */
const localChanged = 'emojis:changed';
/** Bus channel: an emoji of another server is another now. Message: its domain and shortcode. */
const remoteChanged = 'emojis:remote-changed';

const mostRemote = 20_000;
const lifetime = 300_000;

interface EmojiCache {
  /** All of this server, by shortcode. */
  readonly local: LoadingCache<'all', ReadonlyMap<string, Emoji>>;
  /** By domain and shortcode; null where there is none. */
  readonly remote: Cache<string, Emoji | null>;
  /** For each load under way, what changed meanwhile and is not kept. */
  readonly loads: Set<Set<string>>;
}

const cache = perApp<EmojiCache>((app) => {
  const kept: EmojiCache = {
    local: new LoadingCache({ size: 1, ttl: lifetime, load: () => loadLocal(app) }),
    remote: new Cache({ size: mostRemote, ttl: lifetime }),
    loads: new Set(),
  };
  app.bus.subscribe(localChanged, () => kept.local.clear());
  app.bus.subscribe(remoteChanged, (message) => {
    const key = keyOf(...(message as [string, string]));
    kept.remote.delete(key);
    for (const changed of kept.loads) changed.add(key);
  });
  app.bus.onGap(() => {
    kept.local.clear();
    kept.remote.clear();
  });
  return kept;
});

const keyOf = (domain: string, shortcode: string): string => `${shortcode} ${domain}`;

const localRows = prepared<EmojiRow>()((db) =>
  db
    .selectFrom('custom_emojis')
    .selectAll()
    .where('domain', 'is', null)
    .where('disabled', '=', false)
    .orderBy('shortcode'),
);

const remoteRows = prepared<EmojiRow>()((db, args: { domains: string[]; shortcodes: string[] }) =>
  db
    .selectFrom('custom_emojis')
    .selectAll()
    .where(
      sql<boolean>`(domain, shortcode) in (select * from unnest(${args.domains}::text[], ${args.shortcodes}::text[]))`,
    ),
);

async function loadLocal(app: App): Promise<ReadonlyMap<string, Emoji>> {
  const rows = await localRows(app, {});
  return new Map(
    rows.map((row) => {
      const stored = (key: string | null) => (key === null ? '' : app.storage.url(key));
      return [row.shortcode, { ...row, url: stored(row.image_key), staticUrl: stored(row.static_key) }];
    }),
  );
}

/** The emojis of this server that are not switched off, by shortcode, in its order. Kept in memory. */
export function localEmojis(app: App): Promise<ReadonlyMap<string, Emoji>> {
  return cache(app).local.get('all');
}

/**
 * The emojis of another server of these names, also those that are switched off here: what is cached costs nothing, the
 * rest is one query for all.
 */
export async function remoteEmojis(
  app: App,
  names: readonly { readonly domain: string; readonly shortcode: string }[],
): Promise<Map<string, Emoji>> {
  const { remote } = cache(app);
  const found = new Map<string, Emoji>();
  const missing = new Map<string, { readonly domain: string; readonly shortcode: string }>();
  for (const name of names) {
    const key = keyOf(name.domain, name.shortcode);
    const emoji = remote.get(key);
    if (emoji === undefined) missing.set(key, name);
    else if (emoji !== null) found.set(key, emoji);
  }
  if (missing.size > 0) for (const [key, emoji] of await loadRemote(app, missing)) found.set(key, emoji);
  return found;
}

async function loadRemote(
  app: App,
  missing: ReadonlyMap<string, { readonly domain: string; readonly shortcode: string }>,
): Promise<Map<string, Emoji>> {
  const { remote, loads } = cache(app);
  const changed = new Set<string>();
  loads.add(changed);
  try {
    const names = [...missing.values()];
    const rows = await remoteRows(app, {
      domains: names.map(({ domain }) => domain),
      shortcodes: names.map(({ shortcode }) => shortcode),
    });
    const loaded = new Map<string, Emoji>();
    for (const row of rows) {
      const url = await proxiedUrl(app, row.remote_url ?? '');
      loaded.set(keyOf(row.domain ?? '', row.shortcode), { ...row, url, staticUrl: url });
    }
    for (const key of missing.keys()) if (!changed.has(key)) remote.set(key, loaded.get(key) ?? null);
    return loaded;
  } finally {
    loads.delete(changed);
  }
}

/**
 * The emojis that each of these wordings shows, in the order of its text. No query for texts without a `:word:`, and at
 * most two for all of them.
 */
export async function findEmojisIn(app: App, wordings: readonly Wording[]): Promise<Emoji[][]> {
  const asked = wordings.map(({ texts, domain }) => ({ domain, shortcodes: shortcodesIn(texts) }));
  const names = asked.flatMap(({ domain, shortcodes }) =>
    domain === null ? [] : shortcodes.map((shortcode) => ({ domain, shortcode })),
  );
  const isLocalAsked = asked.some(({ domain, shortcodes }) => domain === null && shortcodes.length > 0);
  const [local, remote] = await Promise.all([
    isLocalAsked ? localEmojis(app) : new Map<string, Emoji>(),
    names.length > 0 ? remoteEmojis(app, names) : new Map<string, Emoji>(),
  ]);
  return asked.map(({ domain, shortcodes }) =>
    shortcodes.flatMap((shortcode) => {
      const emoji = domain === null ? local.get(shortcode) : remote.get(keyOf(domain, shortcode));
      return emoji === undefined || emoji.disabled ? [] : [emoji];
    }),
  );
}

/** Makes every process read the emojis of this server anew once the transaction is through, and all that shows them. */
export function dropLocalAfter(write: Write, app: App): void {
  write.afterCommit(() => app.bus.publish(localChanged, null));
}

/** Makes every process read an emoji of another server anew once the transaction is through. */
export function dropRemoteAfter(write: Write, app: App, domain: string, shortcode: string): void {
  write.afterCommit(() => app.bus.publish(remoteChanged, [domain, shortcode]));
}

/**
 * Runs when the emojis of this server have changed, for those who keep texts with emojis. Nobody is told of those of
 * other servers, who could tell without end: what is kept shows them until it expires.
 */
export function onEmojisChanged(app: App, run: () => void): void {
  app.bus.subscribe(localChanged, run);
}
