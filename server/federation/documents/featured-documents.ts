import { sql } from 'kysely';
import { featureAuthorizationUri, featuredCollectionsUri, collectionUrl } from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../../platform/ids.ts';
import { escapeHtml } from '../../text/index.ts';
import { isoTimestamp } from './activities.ts';
import { hashtag } from './hashtag.ts';
import type { Json } from './values.ts';

interface CollectionDocumentRow {
  readonly id: CollectionId;
  readonly account_id: AccountId;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly language: string | null;
  readonly sensitive: boolean;
  readonly discoverable: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly actor_uri: string;
  readonly tag_name: string | null;
  readonly tag_display_name: string | null;
}

interface ItemDocumentRow {
  readonly id: CollectionItemId;
  readonly collection_id: CollectionId;
  readonly account_id: AccountId;
  readonly uri: string | null;
  readonly approval_uri: string | null;
  readonly created_at: Date;
  readonly actor_uri: string;
  readonly actor_type: string;
  readonly domain: string | null;
}

/** Returns the documents of local collections (FEP-7aa9) without their context, in two queries. */
export async function collectionDocuments(app: App, ids: readonly CollectionId[]): Promise<Map<CollectionId, Json>> {
  if (ids.length === 0) return new Map();
  const [rows, items] = await Promise.all([loadCollectionRows(app, ids), loadItemRows(app, ids)]);
  const byCollection = Map.groupBy(items, (item) => item.collection_id);
  return new Map(rows.map((row) => [row.id, collectionDocument(app, row, byCollection.get(row.id) ?? [])]));
}

function collectionDocument(app: App, row: CollectionDocumentRow, items: readonly ItemDocumentRow[]): Json {
  const { tag_name: name, tag_display_name: shown, language } = row;
  // Other servers parse it as HTML.
  const summary = escapeHtml(row.description);
  return {
    id: row.uri,
    type: 'FeaturedCollection',
    attributedTo: row.actor_uri,
    name: row.name,
    ...(language === null ? { summary } : { summaryMap: { [language]: summary } }),
    url: collectionUrl(app, row.id),
    ...(name !== null && { topic: hashtag(app, { name, display_name: shown ?? name }) }),
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    published: isoTimestamp(row.created_at),
    updated: isoTimestamp(row.updated_at),
    totalItems: items.length,
    orderedItems: items.map((item) => itemDocument(app, item)),
  };
}

/** Returns the document of an item in a local collection, with its authorization. */
function itemDocument(app: App, item: ItemDocumentRow): Json {
  const authorizationId =
    item.domain === null ? featureAuthorizationUri(app, item.account_id, item.id) : item.approval_uri;
  return {
    id: item.uri,
    type: 'FeaturedItem',
    featuredObject: item.actor_uri,
    featuredObjectType: item.actor_type,
    ...(authorizationId !== null && { featureAuthorization: authorizationId }),
    published: isoTimestamp(item.created_at),
  };
}

/** Returns an account's item in a local collection; undefined if it is not a member. */
export async function findItemDocument(
  app: App,
  ownerId: AccountId,
  id: CollectionItemId,
): Promise<{ collectionId: CollectionId; document: Json } | undefined> {
  const item = await acceptedItemsQuery(app)
    .where('item.id', '=', id)
    .where('collections.account_id', '=', ownerId)
    .where('collections.local', '=', true)
    .executeTakeFirst();
  return item && { collectionId: item.collection_id, document: itemDocument(app, item) };
}

/** Returns the authorization of a local account for a local or remote collection; undefined if there is none. */
export async function findFeatureAuthorization(
  app: App,
  memberId: AccountId,
  id: CollectionItemId,
): Promise<Json | undefined> {
  const item = await app.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .innerJoin('accounts as member', 'member.id', 'item.account_id')
    .select(['collections.uri as collection', 'member.uri as actor'])
    .where('item.id', '=', id)
    .where('item.account_id', '=', memberId)
    .where('item.state', '=', 'accepted')
    .where('member.domain', 'is', null)
    .executeTakeFirst();
  return item && featureAuthorization(featureAuthorizationUri(app, memberId, id), item);
}

/** Returns the authorization of an actor for a collection. */
export function featureAuthorization(id: string, { collection, actor }: { collection: string; actor: string }): Json {
  return { id, type: 'FeatureAuthorization', interactingObject: collection, interactionTarget: actor };
}

/** Returns a page of the collections of a local account, and the total number. */
export async function listCollectionDocuments(
  app: App,
  ownerId: AccountId,
  { page, size }: { page: number; size: number },
): Promise<{ total: number; items: Json[] }> {
  const discoverable = app.db
    .selectFrom('collections')
    .where('account_id', '=', ownerId)
    .where('discoverable', '=', true);
  const [{ count }, rows] = await Promise.all([
    discoverable.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow(),
    discoverable
      .select('id')
      .orderBy('id', 'desc')
      .offset((page - 1) * size)
      .limit(size)
      .execute(),
  ]);
  const ids = rows.map(({ id }) => id);
  const documents = await collectionDocuments(app, ids);
  return { total: Number(count), items: ids.flatMap<Json>((id) => documents.get(id) ?? []) };
}

/** Returns the properties of an actor document that declare its feature policy and its collections. */
export function featureProperties(
  app: App,
  { id, uri, followers }: { id: AccountId; uri: string; followers: string },
  automatic: readonly string[],
): Json {
  const names: Readonly<Record<string, string>> = {
    public: 'https://www.w3.org/ns/activitystreams#Public',
    followers,
  };
  const audiences = automatic.flatMap((audience) => names[audience] ?? []);
  return {
    featuredCollections: featuredCollectionsUri(app, id),
    // An empty audience is written as the actor itself.
    interactionPolicy: { canFeature: { automaticApproval: audiences.length === 0 ? [uri] : audiences } },
  };
}

function loadCollectionRows(app: App, ids: readonly CollectionId[]): Promise<CollectionDocumentRow[]> {
  return app.db
    .selectFrom('collections')
    .innerJoin('accounts as owner', 'owner.id', 'collections.account_id')
    .leftJoin('tags', 'tags.id', 'collections.tag_id')
    .selectAll('collections')
    .select(['owner.uri as actor_uri', 'tags.name as tag_name', 'tags.display_name as tag_display_name'])
    .where(sql<boolean>`collections.id = any(${ids}::bigint[])`)
    .where('collections.local', '=', true)
    .execute();
}

function loadItemRows(app: App, ids: readonly CollectionId[]): Promise<ItemDocumentRow[]> {
  return acceptedItemsQuery(app)
    .where(sql<boolean>`item.collection_id = any(${ids}::bigint[])`)
    .orderBy('item.place')
    .orderBy('item.id')
    .execute();
}

function acceptedItemsQuery(app: App) {
  return app.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .innerJoin('accounts as member', 'member.id', 'item.account_id')
    .select([
      'item.id',
      'item.collection_id',
      'member.id as account_id',
      'item.uri',
      'item.approval_uri',
      'item.created_at',
      'member.uri as actor_uri',
      'member.actor_type',
      'member.domain',
    ])
    .where('item.state', '=', 'accepted')
    .where('member.suspended_at', 'is', null)
    .where('member.deleted_at', 'is', null);
}
