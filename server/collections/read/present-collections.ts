import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { type AccountId, type CollectionId, type CollectionItemId, noId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { presentAccountsFor } from '../../relationships/read/index.ts';
import type { CollectionRow } from './find-collections.ts';
import type { Collection, CollectionItem, CollectionWithAccounts, ItemState } from '../schema.ts';

/** Undefined: anonymous. */
type Viewer = { readonly accountId: AccountId } | undefined;

interface CollectionWithTag extends CollectionRow {
  readonly tag_name: string | null;
  readonly tag_display_name: string | null;
}

interface VisibleItem {
  readonly id: CollectionItemId;
  readonly collection_id: CollectionId;
  readonly account_id: AccountId;
  readonly state: ItemState;
  readonly created_at: Date;
}

const selectCollections = preparedQuery<CollectionWithTag>()((db, { ids }: { ids: readonly CollectionId[] }) =>
  db
    .selectFrom('collections')
    .innerJoin('accounts', 'accounts.id', 'collections.account_id')
    .leftJoin('tags', 'tags.id', 'collections.tag_id')
    .selectAll('collections')
    .select(['tags.name as tag_name', 'tags.display_name as tag_display_name'])
    .where(sql<boolean>`collections.id = any(${ids}::bigint[])`)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null),
);

const selectItems = preparedQuery<VisibleItem>()((db, { ids }: { ids: readonly CollectionId[] }) =>
  db
    .selectFrom('collection_items as item')
    .innerJoin('accounts', 'accounts.id', 'item.account_id')
    .select(['item.id', 'item.collection_id', 'accounts.id as account_id', 'item.state', 'item.created_at'])
    .where(sql<boolean>`item.collection_id = any(${ids}::bigint[])`)
    .where('item.state', 'in', ['pending', 'accepted'])
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.activated', '=', true)
    .orderBy('item.place')
    .orderBy('item.id'),
);

/**
 * Returns collections as the viewer sees them, in the order given, with two queries. Leaves out deleted ones and those
 * of suspended owners. Only owners see pending items; suspended and blocked members are hidden. Does not check access
 * (`requireVisibleCollection`).
 */
export async function presentCollections(
  app: App,
  viewer: Viewer,
  ids: readonly CollectionId[],
): Promise<Collection[]> {
  if (ids.length === 0) return [];
  const unique = [...new Set(ids)];
  const [rows, items, relations] = await Promise.all([
    selectCollections(app, { ids: unique }),
    selectItems(app, { ids: unique }),
    viewer && loadAccountRelations(app, viewer.accountId),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const itemsById = Map.groupBy(items, (item) => item.collection_id);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const own = viewer?.accountId === row.account_id;
    const shown = (itemsById.get(id) ?? []).filter(
      (item) => (own || item.state === 'accepted') && relations?.blocking.has(item.account_id) !== true,
    );
    return [renderCollection(app, row, shown)];
  });
}

/** Returns one collection as the viewer sees it. Throws 404 if it was deleted. */
export async function presentCollection(app: App, viewer: Viewer, id: CollectionId): Promise<Collection> {
  const [collection] = await presentCollections(app, viewer, [id]);
  if (collection === undefined) throw notFound();
  return collection;
}

/** Returns a collection with its accounts, the owner first. */
export async function presentCollectionWithAccounts(
  app: App,
  viewer: Viewer,
  id: CollectionId,
): Promise<JsonText<CollectionWithAccounts>> {
  const collection = await presentCollection(app, viewer, id);
  const ids = new Set([collection.account_id, ...collection.items.flatMap((item) => item.account_id ?? [])]);
  const accounts = await presentAccountsFor(app, viewer, [...ids]);
  return new JsonText(`{"accounts":${joinJsonList(accounts).text},"collection":${JSON.stringify(collection)}}`);
}

function renderCollection(app: App, row: CollectionWithTag, items: readonly VisibleItem[]): Collection {
  const { tag_name: tag, tag_display_name: shown } = row;
  return {
    id: row.id,
    account_id: row.account_id,
    uri: row.uri,
    url: row.url,
    name: row.name,
    description: row.description,
    language: row.language,
    local: row.local,
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    tag: tag === null ? null : { name: shown ?? tag, url: `${app.config.baseUrl}/tags/${encodeURIComponent(tag)}` },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    item_count: items.length,
    items: items.map(renderItem),
  };
}

function renderItem({ id, account_id, state, created_at }: VisibleItem): CollectionItem {
  return { id, account_id, state, created_at: created_at.toISOString() };
}

/** Returns an item as its owner sees it. Throws 404 if it was deleted. */
export async function presentCollectionItem(app: App, id: CollectionItemId): Promise<CollectionItem> {
  const item = await app.db
    .selectFrom('collection_items')
    .select(['id', 'account_id', 'state', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (item === undefined || item.account_id === null) throw notFound();
  return renderItem({ ...item, account_id: item.account_id, collection_id: noId });
}
