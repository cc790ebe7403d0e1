import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import { newId, type AccountId, type CollectionId } from '../platform/ids.ts';
import { itemRemoved } from './events.ts';
import type { ItemRow } from './find-collections.ts';
import { nextPlace } from './insert-items.ts';
import type { RemoteItem } from './store-remote-collection.ts';

/** Items that are kept of a collection of another server (reference/limits.tsv). */
export const mostRemoteItems = 150;

/** Milliseconds after which somebody who agreed ought to be named by the collection. */
const patience = 86_400_000;

interface Listed {
  readonly collectionId: CollectionId;
  /** Of the collection. */
  readonly ownerId: AccountId;
  readonly items: readonly RemoteItem[];
  /** Ids of others that stay when they are known. */
  readonly named: readonly string[];
}

/** Brings the items of a collection of another server up to date with all that it names now. The caller has locked it. */
export async function storeItems(
  write: Write,
  app: App,
  { collectionId, ownerId, items, named }: Listed,
): Promise<void> {
  const before = await itemsOf(write, collectionId);
  const kept = items.slice(0, mostRemoteItems);
  const staying = new Set([...kept.map(({ uri }) => uri), ...named]);
  const members = new Set(kept.flatMap(({ localId }) => localId ?? []));
  const overdue = new Date(app.clock.now().getTime() - patience);
  // A consent whose item did not come yet stays for a while, and one that was taken back is never forgotten.
  for (const item of before) {
    // Who agreed stays as long as it is named, by whatever id.
    if (item.account_id !== null && members.has(item.account_id)) continue;
    const isGone = item.uri === null ? item.created_at < overdue : !staying.has(item.uri);
    if (isGone && item.state !== 'revoked') await drop(write, ownerId, item);
  }
  for (const [index, item] of kept.entries()) {
    await storeItem(write, app, { collectionId, item, place: index + 1, before });
  }
}

/** Takes one item more into a collection of another server; nothing when it is full. */
export async function storeRemoteItem(app: App, collectionId: CollectionId, item: RemoteItem): Promise<void> {
  await inTransaction(app, async (write) => {
    await write.db.selectFrom('collections').select('id').where('id', '=', collectionId).forUpdate().execute();
    const before = await itemsOf(write, collectionId);
    const isNew = before.every(({ uri, account_id: id }) => uri !== item.uri && id !== item.localId);
    if (isNew && before.length >= mostRemoteItems) return;
    await storeItem(write, app, { collectionId, item, place: nextPlace(before), before });
  });
}

interface Storing {
  readonly collectionId: CollectionId;
  readonly item: RemoteItem;
  readonly place: number;
  readonly before: readonly ItemRow[];
}

async function storeItem({ db }: Write, app: App, { collectionId, item, place, before }: Storing): Promise<void> {
  const { uri, objectUri, localId, approvalUri = null } = item;
  const known = before.find((other) => other.uri === uri || (localId !== undefined && other.account_id === localId));
  // Nobody of this server stands in a collection without having agreed here.
  if (known === undefined && item.isOurs) return;
  const now = app.clock.now();
  if (known === undefined) {
    const created = item.publishedAt !== undefined && item.publishedAt < now ? item.publishedAt : now;
    await db
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
  const isOther = !item.isOurs && (known.object_uri !== objectUri || known.approval_uri !== approvalUri);
  await db
    .updateTable('collection_items')
    .set({
      uri,
      place,
      ...(isOther && { account_id: null, object_uri: objectUri, approval_uri: approvalUri, state: 'pending' as const }),
    })
    .where('id', '=', known.id)
    .execute();
}

async function drop(write: Write, ownerId: AccountId, item: ItemRow): Promise<void> {
  await write.db.deleteFrom('collection_items').where('id', '=', item.id).execute();
  if (item.account_id === null || item.state !== 'accepted') return;
  const { id: itemId, collection_id: collectionId, account_id: memberId, uri } = item;
  write.emit(itemRemoved({ collectionId, accountId: ownerId, local: false, itemId, memberId, itemUri: uri }));
}

/** Takes an item out of a collection of `ownerId`, as its server says. */
export async function removeRemoteItem(
  app: App,
  ownerId: AccountId,
  { collectionUri, itemUri }: { collectionUri: string; itemUri: string },
): Promise<void> {
  await inTransaction(app, async (write) => {
    const item = await write.db
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
    if (item !== undefined) await drop(write, ownerId, item);
  });
}

async function itemsOf({ db }: Write, collectionId: CollectionId): Promise<ItemRow[]> {
  return db
    .selectFrom('collection_items')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .orderBy(sql`place`)
    .execute();
}
