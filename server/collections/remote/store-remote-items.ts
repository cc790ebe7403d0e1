import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type CollectionId } from '../../platform/ids.ts';
import { collectionItemRemoved } from '../events.ts';
import type { CollectionItemRow } from '../read/find-collections.ts';
import { nextPlace } from '../insert-items.ts';
import { writable } from '../tables.ts';

/** Maximum number of stored items of a remote collection (reference/limits.tsv). */
export const maxRemoteItems = 150;

/** Milliseconds until an accepted member must be listed by its collection. */
const unlistedItemTtlMs = 86_400_000;

/** An item of a remote collection. */
export interface RemoteCollectionItem {
  readonly uri: string;
  /** URI of the featured actor. */
  readonly objectUri: string;
  /** The featured account if it is local. */
  readonly localAccountId: AccountId | undefined;
  /** Whether the URI of the featured actor is local. */
  readonly isLocal: boolean;
  /** Address of the authorization by the featured actor. */
  readonly approvalUri: string | undefined;
  readonly publishedAt: Date | undefined;
}

interface ListedItems {
  readonly collectionId: CollectionId;
  /** Owner of the collection. */
  readonly ownerId: AccountId;
  readonly items: readonly RemoteCollectionItem[];
  /** URIs of further items. Those that are stored stay. */
  readonly named: readonly string[];
}

/** Updates the items of a remote collection to its current list. The caller has locked it. */
export async function storeRemoteItems(
  tx: Transaction,
  app: App,
  { collectionId, ownerId, items, named }: ListedItems,
): Promise<void> {
  const before = await selectItemRows(tx, collectionId);
  const listed = items.slice(0, maxRemoteItems);
  const retainedUris = new Set([...listed.map(({ uri }) => uri), ...named]);
  const members = new Set(listed.flatMap(({ localAccountId }) => localAccountId ?? []));
  const pendingBefore = new Date(app.clock.now().getTime() - unlistedItemTtlMs);
  // An authorization without an item stays for a while. A revoked one is never deleted.
  for (const item of before) {
    // A local member stays while it is listed, even with another URI.
    if (item.account_id !== null && members.has(item.account_id)) continue;
    const isGone = item.uri === null ? item.created_at < pendingBefore : !retainedUris.has(item.uri);
    if (isGone && item.state !== 'revoked') await deleteRemoteItemRow(tx, ownerId, item);
  }
  for (const [index, item] of listed.entries()) {
    await storeItem(tx, app, { collectionId, item, place: index + 1, before });
  }
}

/** Adds one item to a remote collection. No-op if it is full. */
export async function storeRemoteItem(app: App, collectionId: CollectionId, item: RemoteCollectionItem): Promise<void> {
  await transaction(app, async (tx) => {
    await tx.db.selectFrom('collections').select('id').where('id', '=', collectionId).forUpdate().execute();
    const before = await selectItemRows(tx, collectionId);
    const isNew = before.every(({ uri, account_id: id }) => uri !== item.uri && id !== item.localAccountId);
    if (isNew && before.length >= maxRemoteItems) return;
    await storeItem(tx, app, { collectionId, item, place: nextPlace(before), before });
  });
}

interface ItemToStore {
  readonly collectionId: CollectionId;
  readonly item: RemoteCollectionItem;
  readonly place: number;
  readonly before: readonly CollectionItemRow[];
}

async function storeItem(
  { db }: Transaction,
  app: App,
  { collectionId, item, place, before }: ItemToStore,
): Promise<void> {
  const { uri, objectUri, localAccountId, approvalUri = null } = item;
  const stored = before.find(
    (other) => other.uri === uri || (localAccountId !== undefined && other.account_id === localAccountId),
  );
  // A local account is only added after it agreed.
  if (stored === undefined && item.isLocal) return;
  const now = app.clock.now();
  if (stored === undefined) {
    const created = item.publishedAt !== undefined && item.publishedAt < now ? item.publishedAt : now;
    await writable(db)
      .insertInto('collection_items')
      .values({
        id: newId<'collection-item'>(now),
        collection_id: collectionId,
        account_id: null,
        object_uri: objectUri,
        state: 'pending',
        place,
        uri,
        request_uri: null,
        approval_uri: approvalUri,
        created_at: created,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  const isOther = !item.isLocal && (stored.object_uri !== objectUri || stored.approval_uri !== approvalUri);
  await writable(db)
    .updateTable('collection_items')
    .set({
      uri,
      place,
      ...(isOther && { account_id: null, object_uri: objectUri, approval_uri: approvalUri, state: 'pending' as const }),
    })
    .where('id', '=', stored.id)
    .execute();
}

async function deleteRemoteItemRow(tx: Transaction, ownerId: AccountId, item: CollectionItemRow): Promise<void> {
  await writable(tx.db).deleteFrom('collection_items').where('id', '=', item.id).execute();
  if (item.account_id === null || item.state !== 'accepted') return;
  const { id: itemId, collection_id: collectionId, account_id: memberId, uri } = item;
  tx.emit(collectionItemRemoved({ collectionId, accountId: ownerId, local: false, itemId, memberId, itemUri: uri }));
}

/** Removes an item from a collection of `ownerId`, at the request of its server. */
export async function removeRemoteItem(
  app: App,
  ownerId: AccountId,
  { collectionUri, itemUri }: { collectionUri: string; itemUri: string },
): Promise<void> {
  await transaction(app, async (tx) => {
    const item = await tx.db
      .selectFrom('collection_items as item')
      .innerJoin('collections', 'collections.id', 'item.collection_id')
      .selectAll('item')
      .where('item.uri', '=', itemUri)
      .where('collections.uri', '=', collectionUri)
      .where('collections.account_id', '=', ownerId)
      .where('collections.local', '=', false)
      .where('item.state', '<>', 'revoked')
      .forUpdate('item')
      .executeTakeFirst();
    if (item !== undefined) await deleteRemoteItemRow(tx, ownerId, item);
  });
}

async function selectItemRows({ db }: Transaction, collectionId: CollectionId): Promise<CollectionItemRow[]> {
  return db
    .selectFrom('collection_items')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .orderBy(sql`place`)
    .execute();
}
