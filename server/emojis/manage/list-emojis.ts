import { domainToASCII } from 'node:url';
import { sql, type RawBuilder } from 'kysely';
import { buildProxyUrl, mediaViewerOf, urlFor } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { pageEnds, type PageEnds } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { EmojiRow } from '../find-emojis.ts';
import type { EmojiReference } from './lock-emoji.ts';
import type { AdminEmoji } from '../schema.ts';
import type { EmojiId } from '../tables.ts';

/** Which emojis staff list; absent: all. */
export interface EmojiFilters {
  readonly origin?: 'local' | 'remote' | undefined;
  readonly state?: 'enabled' | 'disabled' | undefined;
  /** A whole domain. */
  readonly domain?: string | undefined;
  /** The beginning of the shortcode, in upper or lower case. */
  readonly shortcode?: string | undefined;
}

interface ListedRow extends EmojiRow {
  readonly local_id: EmojiId | null;
}

/** Returns a page of the custom emojis, local and remote, newest first. */
export async function listEmojisForStaff(
  app: App,
  page: Page,
  filters: EmojiFilters = {},
): Promise<{ readonly emojis: AdminEmoji[] } & PageEnds> {
  const { limit, maxId, sinceId, minId } = page;
  const above = minId ?? sinceId;
  const conditions = [
    ...filterConditions(filters),
    ...(maxId === undefined ? [] : [sql<boolean>`emoji.id < ${maxId}::bigint`]),
    ...(above === undefined ? [] : [sql<boolean>`emoji.id > ${above}::bigint`]),
  ];
  const rows = await selectEmojis(app, { conditions, limit, isAscending: minId !== undefined });
  const newestFirst = minId === undefined ? rows : rows.toReversed();
  const emojis = await Promise.all(newestFirst.map((row) => presentEmoji(app, row)));
  return { emojis, ...pageEnds(page, newestFirst) };
}

/** Returns an emoji for staff. Throws 404 if there is none with this id. */
export async function requireEmoji(app: App, id: EmojiId): Promise<AdminEmoji> {
  const [row] = await selectEmojis(app, { conditions: [sql<boolean>`emoji.id = ${id}::bigint`], limit: 1 });
  if (row === undefined) throw notFound();
  return presentEmoji(app, row);
}

/** Returns the emojis with these ids for staff, in this order, without those that do not exist. */
export async function loadEmojis(app: App, ids: readonly EmojiId[]): Promise<AdminEmoji[]> {
  const conditions = [sql<boolean>`emoji.id = any(${[...ids]}::bigint[])`];
  const rows = await selectEmojis(app, { conditions, limit: ids.length });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  return Promise.all(found.map((row) => presentEmoji(app, row)));
}

/** Returns the reference of an emoji that is written as `name`, or as `name@domain` if it is remote. Throws 404. */
export async function findEmojiReference({ db }: App, written: string): Promise<EmojiReference> {
  const [shortcode = '', domain] = written.replaceAll(':', '').split('@');
  if (domain === undefined) return { shortcode };
  return db
    .selectFrom('custom_emojis')
    .select('id')
    .where('shortcode', '=', shortcode)
    .where('domain', '=', domainToASCII(domain.toLowerCase()))
    .executeTakeFirstOrThrow(() => notFound('emojis.unknown', { shortcode }));
}

/** The last character of Unicode. */
const lastCharacter = '\u{10FFFF}';

/**
 * Compares as the index for beginnings does, because a prepared LIKE does not know its pattern. The array keeps the planner
 * from reading all emojis in the order of the page.
 */
const beginsWith = (prefix: string): RawBuilder<boolean> => sql<boolean>`emoji.id = any(array(
  select id from custom_emojis where lower(shortcode) ~>=~ ${prefix} and lower(shortcode) ~<~ ${prefix + lastCharacter}))`;

/** Each has an index (migrations 0104 and 0131). */
function filterConditions({ origin, state, domain, shortcode }: EmojiFilters): RawBuilder<boolean>[] {
  const prefix = shortcode?.trim().replaceAll(':', '').toLowerCase();
  const host = domain?.trim() && domainToASCII(domain.trim().toLowerCase());
  return [
    ...(origin === undefined ? [] : [origin === 'local' ? sql<boolean>`emoji.domain is null` : isRemote]),
    ...(state === undefined ? [] : [state === 'disabled' ? sql<boolean>`emoji.disabled` : isEnabled]),
    ...(host === undefined || domain?.trim() === '' ? [] : [sql<boolean>`emoji.domain = ${host}`]),
    ...(prefix ? [beginsWith(prefix)] : []),
  ];
}

const isRemote = sql<boolean>`emoji.domain is not null`;
const isEnabled = sql<boolean>`not emoji.disabled`;

async function selectEmojis(
  { db }: App,
  {
    conditions,
    limit,
    isAscending = false,
  }: {
    readonly conditions: readonly RawBuilder<boolean>[];
    readonly limit: number;
    readonly isAscending?: boolean;
  },
): Promise<ListedRow[]> {
  const condition = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const { rows } = await sql<ListedRow>`
    select emoji.*, local.id as local_id
    from custom_emojis emoji
      left join custom_emojis local on local.domain is null and local.shortcode = emoji.shortcode
        and emoji.domain is not null
    where ${condition}
    order by emoji.id ${isAscending ? sql`asc` : sql`desc`} limit ${limit}::int`.execute(db);
  return rows;
}

async function presentEmoji(app: App, row: ListedRow): Promise<AdminEmoji> {
  return {
    id: row.id,
    shortcode: row.shortcode,
    domain: row.domain,
    ...(await imageUrls(app, row)),
    category: row.category,
    visible_in_picker: row.visible_in_picker,
    disabled: row.disabled,
    local_id: row.domain === null ? row.id : row.local_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

async function imageUrls(app: App, { domain, image_key, static_key, remote_url }: EmojiRow) {
  if (domain === null) {
    const stored = (key: string | null) => (key === null ? '' : app.storage.url(key));
    return { url: stored(image_key), static_url: stored(static_key) };
  }
  const url = urlFor(await buildProxyUrl(app, remote_url ?? ''), mediaViewerOf({}));
  return { url, static_url: url };
}
