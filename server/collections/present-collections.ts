import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { jsonList, JsonText } from '../platform/http/answers.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { relationsOf, presentAccountsFor } from '../relationships/index.ts';
import type { CollectionRow } from './find-collections.ts';
import type { Collection, CollectionItem, CollectionWithAccounts, ItemState } from './schema.ts';

/** Whoever looks; undefined for the anonymous. */
type Beholder = { readonly accountId: AccountId } | undefined;

interface ShownRow extends CollectionRow {
  readonly tag_name: string | null;
  readonly tag_shown: string | null;
}

interface ShownItem {
  readonly id: CollectionItemId;
  readonly collection_id: CollectionId;
  readonly account_id: AccountId;
  readonly state: ItemState;
  readonly created_at: Date;
}

const rowsOf = prepared<ShownRow>()((db, { ids }: { ids: readonly CollectionId[] }) =>
  db
    .selectFrom('collections')
    .innerJoin('accounts', 'accounts.id', 'collections.account_id')
    .leftJoin('tags', 'tags.id', 'collections.tag_id')
    .selectAll('collections')
    .select(['tags.name as tag_name', 'tags.display_name as tag_shown'])
    .where(sql<boolean>`collections.id = any(${ids}::bigint[])`)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null),
);

const itemsOf = prepared<ShownItem>()((db, { ids }: { ids: readonly CollectionId[] }) =>
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
 * Turns ids into API collections as `viewer` sees them, in the order given and in two statements; those that are gone,
 * and those of suspended owners, are left out. Only owners see who has been asked and not answered yet; nobody sees
 * suspended accounts and those that it blocks. Does not decide who may see them: `requireVisibleCollection` does.
 */
export async function presentCollections(
  app: App,
  viewer: Beholder,
  ids: readonly CollectionId[],
): Promise<Collection[]> {
  if (ids.length === 0) return [];
  const unique = [...new Set(ids)];
  const [rows, items, relations] = await Promise.all([
    rowsOf(app, { ids: unique }),
    itemsOf(app, { ids: unique }),
    viewer && relationsOf(app, viewer.accountId),
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
    return [collectionOf(app, row, shown)];
  });
}

/** One collection as `viewer` sees it; 404 when it is gone. */
export async function presentCollection(app: App, viewer: Beholder, id: CollectionId): Promise<Collection> {
  const [collection] = await presentCollections(app, viewer, [id]);
  if (collection === undefined) throw notFound();
  return collection;
}

/** One collection with its accounts, its owner first. */
export async function presentWithAccounts(
  app: App,
  viewer: Beholder,
  id: CollectionId,
): Promise<JsonText<CollectionWithAccounts>> {
  const collection = await presentCollection(app, viewer, id);
  const ids = new Set([collection.account_id, ...collection.items.flatMap((item) => item.account_id ?? [])]);
  const accounts = await presentAccountsFor(app, viewer, [...ids]);
  return new JsonText(`{"accounts":${jsonList(accounts).text},"collection":${JSON.stringify(collection)}}`);
}

function collectionOf(app: App, row: ShownRow, items: readonly ShownItem[]): Collection {
  const { tag_name: tag, tag_shown: shown } = row;
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
    items: items.map(itemOf),
  };
}

function itemOf({ id, account_id, state, created_at }: ShownItem): CollectionItem {
  return { id, account_id, state, created_at: created_at.toISOString() };
}

/** A place in a collection that its owner has just given; 404 when it is gone again. */
export async function presentItem(app: App, id: CollectionItemId): Promise<CollectionItem> {
  const item = await app.db
    .selectFrom('collection_items')
    .select(['id', 'account_id', 'state', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (item === undefined || item.account_id === null) throw notFound();
  return itemOf({ ...item, account_id: item.account_id, collection_id: '0' as CollectionId });
}
