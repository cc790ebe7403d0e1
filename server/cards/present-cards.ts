import { sql, type Selectable } from 'kysely';
import {
  loadCachedAccounts,
  parseAccount,
  toAccountTemplate,
  type AccountContext,
  type CachedAccount,
} from '../accounts/present/index.ts';
import { createImageProxy, type MediaUrl } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { asciiJson } from '../platform/http/http-response.ts';
import { JsonTemplate } from '../platform/http/json-template.ts';
import type { AccountId } from '../platform/ids.ts';
import type { PreviewCard } from './schema.ts';
import type { CardId, CardTables } from './tables.ts';

/** A card as cached for every viewer, without `url` and `missing_attribution`. */
export interface CardJson {
  readonly template: JsonTemplate<AccountContext>;
  /** The account that the page names as its author without permission. */
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

/** Returns cards by id, in one query and those for accounts that are not cached. Image URLs lead to the proxy. */
export async function loadCardJson(app: App, ids: readonly CardId[]): Promise<Map<CardId, CardJson>> {
  if (ids.length === 0) return new Map();
  const rows = await cardRows(app, { ids });
  const authors = rows.flatMap((row) => (isAttributionAllowed(row) ? [row.creator_account_id] : []));
  const [accounts, proxy] = await Promise.all([loadCachedAccounts(app, authors), createImageProxy(app)]);
  return new Map(
    rows.map((row) => {
      const confirmed = isAttributionAllowed(row);
      const account = confirmed ? accounts.get(row.creator_account_id) : undefined;
      const image = row.image_url === null ? null : proxy(row.image_url);
      const hasCreator = row.attribution_domains !== null;
      const unconfirmedId = hasCreator && !confirmed ? (row.creator_account_id ?? undefined) : undefined;
      return [
        row.id,
        {
          template: JsonTemplate.members(
            buildCardFields(row, { account: account?.activated ? account : undefined, image }),
          ),
          unconfirmedId,
        },
      ];
    }),
  );
}

/** Adds a card as a viewer sees it (undefined: anonymous) to `fragments`. `url`: as the post links to it. */
export function renderCardInto(
  fragments: string[],
  { template, unconfirmedId }: CardJson,
  { url, viewerId, context }: { url: string; viewerId: AccountId | undefined; context: AccountContext },
): void {
  fragments.push(`{"url":${asciiString(url)},`);
  template.renderInto(fragments, context);
  fragments.push(viewerId === undefined ? '}' : `,"missing_attribution":${viewerId === unconfirmedId}}`);
}

const asciiString = (text: string): string => asciiJson([text]).slice(1, -1);

/** Whether the account allows pages of this domain or its parent domains to name it as their author. */
function isAttributionAllowed(row: CardRow): row is CardRow & { readonly creator_account_id: AccountId } {
  const { url, creator_account_id, attribution_domains } = row;
  if (creator_account_id === null || attribution_domains === null) return false;
  const host = new URL(url).hostname;
  return attribution_domains.some((domain) => {
    const allowed = domain.toLowerCase();
    return allowed !== '' && (host === allowed || host.endsWith(`.${allowed}`));
  });
}

function buildCardFields(
  row: CardRow,
  { account, image }: { account: CachedAccount | undefined; image: MediaUrl | null },
): Record<Exclude<keyof PreviewCard, 'url' | 'missing_attribution'>, unknown> {
  const shown = account && parseAccount(account);
  const name = row.author_name || shown?.display_name || shown?.username || '';
  const author = {
    name,
    url: row.author_url || (shown?.url ?? ''),
    account: account === undefined ? null : toAccountTemplate(account),
  };
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
