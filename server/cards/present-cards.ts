import { sql, type Selectable } from 'kysely';
import { presentAccounts } from '../accounts/index.ts';
import { buildProxyUrl } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { asciiJson } from '../platform/http/http-response.ts';
import type { AccountId } from '../platform/ids.ts';
import type { PreviewCard } from './schema.ts';
import type { CardId, CardTables } from './tables.ts';

/** A card as JSON that is the same for every viewer: without `url`, the braces and `missing_attribution`. */
export interface CardJson {
  readonly inner: string;
  /** Whom its page names as its author although they have not allowed it to. */
  readonly unconfirmedId: AccountId | undefined;
}

interface CardRow extends Selectable<CardTables['preview_cards']> {
  readonly attribution_domains: string[] | null;
}

const cardRows = preparedQuery<CardRow>()((db, { ids }: { ids: readonly CardId[] }) =>
  db
    .selectFrom('preview_cards as card')
    .leftJoin('accounts as creator', (join) =>
      join
        .onRef('creator.id', '=', 'card.creator_account_id')
        .on('creator.deleted_at', 'is', null)
        .on('creator.suspended_at', 'is', null),
    )
    .selectAll('card')
    .select('creator.attribution_domains')
    .where(sql<boolean>`card.id = any(${ids}::bigint[])`),
);

/**
 * The cards of these ids, in one query and those for accounts that are not cached. Their pictures come through the
 * proxy.
 */
export async function loadCardJson(app: App, ids: readonly CardId[]): Promise<Map<CardId, CardJson>> {
  if (ids.length === 0) return new Map();
  const rows = await cardRows(app, { ids });
  const authors = rows.flatMap((row) => (isAttributionAllowed(row) ? [row.creator_account_id as AccountId] : []));
  const accounts = new Map(
    (await presentAccounts(app, [...new Set(authors)])).map(({ text }) => {
      const account = JSON.parse(text) as Account;
      return [account.id, account];
    }),
  );
  const images = await Promise.all(
    rows.map(({ image_url: url }) => (url === null ? Promise.resolve(null) : buildProxyUrl(app, url))),
  );
  return new Map(
    rows.map((row, index) => {
      const confirmed = isAttributionAllowed(row);
      const account = (confirmed && accounts.get(row.creator_account_id as AccountId)) || null;
      const known = row.attribution_domains !== null;
      const unconfirmedId = known && !confirmed ? (row.creator_account_id ?? undefined) : undefined;
      return [
        row.id,
        {
          inner: asciiJson(buildCardFields(row, { account, image: images[index] ?? null })).slice(1, -1),
          unconfirmedId,
        },
      ];
    }),
  );
}

/** A card as an object of JSON text, for a viewer or the anonymous (undefined). `url`: as the post links to it. */
export function renderCard({ inner, unconfirmedId }: CardJson, url: string, viewerId: AccountId | undefined): string {
  const own = viewerId === undefined ? '' : `,"missing_attribution":${viewerId === unconfirmedId}`;
  return `{"url":${asciiString(url)},${inner}${own}}`;
}

type Account = NonNullable<PreviewCard['authors'][number]['account']>;

const asciiString = (text: string): string => asciiJson([text]).slice(1, -1);

/** The account lets pages of this domain, and of those below it, name it as their author. */
function isAttributionAllowed({ url, creator_account_id, attribution_domains }: CardRow): boolean {
  if (creator_account_id === null || attribution_domains === null) return false;
  const host = new URL(url).hostname;
  return attribution_domains.some((domain) => {
    const allowed = domain.toLowerCase();
    return allowed !== '' && (host === allowed || host.endsWith(`.${allowed}`));
  });
}

function buildCardFields(
  row: CardRow,
  { account, image }: { account: Account | null; image: string | null },
): Omit<PreviewCard, 'url' | 'missing_attribution'> {
  const name = row.author_name || account?.display_name || account?.username || '';
  const author = { name, url: row.author_url || (account?.url ?? ''), account };
  return {
    title: row.title,
    description: row.description,
    language: row.language,
    type: row.type,
    author_name: row.author_name,
    author_url: row.author_url,
    provider_name: row.provider_name,
    provider_url: row.provider_url,
    html: row.html,
    width: row.width,
    height: row.height,
    image,
    image_description: row.image_description,
    embed_url: row.embed_url,
    blurhash: null,
    published_at: row.published_at?.toISOString() ?? null,
    authors: author.name === '' && author.url === '' ? [] : [author],
  };
}
