import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { forbidden, notFound } from '../platform/http/http-errors.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { featureAuthorizationRevoked, collectionItemRemoved } from './events.ts';
import { lockCollection, type CollectionItemRow } from './read/find-collections.ts';
import { writable } from './tables.ts';

interface ItemPath {
  readonly accountId: AccountId;
  readonly collectionId: CollectionId;
  readonly itemId: CollectionItemId;
}

/**
 * Removes an account from a collection for its owner. Throws 404 if it is not a member: a revoked item stays stored, so
 * that the account is not added again. Throws 403 for anyone but the owner.
 */
export async function removeCollectionItem(app: App, { accountId, collectionId, itemId }: ItemPath): Promise<void> {
  await transaction(app, async (tx) => {
    const { local } = await lockCollection(tx, accountId, collectionId);
    const item = await writable(tx.db)
      .deleteFrom('collection_items')
      .where('id', '=', itemId)
      .where('collection_id', '=', collectionId)
      .where('state', 'in', ['pending', 'accepted'])
      .returning(['account_id', 'uri'])
      .executeTakeFirstOrThrow(() => notFound());
    if (item.account_id === null) return;
    tx.emit(
      collectionItemRemoved({ collectionId, accountId, local, itemId, memberId: item.account_id, itemUri: item.uri }),
    );
  });
}

/**
 * Revokes the authorization of `accountId` for a collection. Idempotent. Throws 404 if there is no such item, 403 if it is
 * another account's.
 */
export async function revokeCollectionItem(app: App, { accountId, collectionId, itemId }: ItemPath): Promise<void> {
  await transaction(app, async (tx) => {
    const item = await tx.db
      .selectFrom('collection_items')
      .selectAll()
      .where('id', '=', itemId)
      .where('collection_id', '=', collectionId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    if (item.account_id !== accountId) throw forbidden();
    await revokeLockedItem(tx, item);
  });
}

/** Marks an item as revoked by its member. No-op if it is already. The caller has locked it. */
export async function revokeLockedItem(tx: Transaction, item: CollectionItemRow): Promise<void> {
  const { id: itemId, collection_id: collectionId, account_id: memberId, state, uri } = item;
  if (memberId === null || (state !== 'pending' && state !== 'accepted')) return;
  const facts = await tx.db
    .selectFrom('collections')
    .innerJoin('accounts as member', (join) => join.on('member.id', '=', memberId))
    .select(['collections.account_id', 'collections.local', sql<boolean>`member.domain is null`.as('isMemberLocal')])
    .where('collections.id', '=', collectionId)
    .executeTakeFirstOrThrow();
  // Their own servers decide whether they may be asked again.
  if (!facts.local && !facts.isMemberLocal) {
    await writable(tx.db).deleteFrom('collection_items').where('id', '=', itemId).execute();
  } else {
    await writable(tx.db).updateTable('collection_items').set({ state: 'revoked' }).where('id', '=', itemId).execute();
  }
  const event = { collectionId, accountId: facts.account_id, local: facts.local, itemId, memberId };
  tx.emit(collectionItemRemoved({ ...event, itemUri: uri }));
  if (facts.isMemberLocal) tx.emit(featureAuthorizationRevoked(event));
}

/** On a block, revokes the blocking account's items in the other's collections and removes the other from its own. */
export async function removeItemsOnBlock(
  tx: Transaction,
  _app: App,
  { accountId, targetAccountId }: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  const items = await tx.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .selectAll('item')
    .select(['collections.account_id as owner_id', 'collections.local'])
    .where((eb) =>
      eb.or([
        eb.and({ 'item.account_id': accountId, 'collections.account_id': targetAccountId }),
        eb.and({ 'item.account_id': targetAccountId, 'collections.account_id': accountId, 'collections.local': true }),
      ]),
    )
    .forUpdate('item')
    .execute();
  for (const { owner_id: ownerId, local, ...item } of items) {
    if (item.account_id === accountId) await revokeLockedItem(tx, item);
    else await deleteLockedItem(tx, { ownerId, local, item });
  }
}

/** On a domain block, revokes the account's items in collections of that domain. */
export async function removeItemsOnDomainBlock(
  tx: Transaction,
  _app: App,
  { accountId, domain }: { accountId: AccountId; domain: string },
): Promise<void> {
  const items = await tx.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .innerJoin('accounts as owner', 'owner.id', 'collections.account_id')
    .selectAll('item')
    .where('item.account_id', '=', accountId)
    .where('owner.domain', '=', domain)
    .forUpdate('item')
    .execute();
  for (const item of items) await revokeLockedItem(tx, item);
}

async function deleteLockedItem(
  tx: Transaction,
  { ownerId, local, item }: { ownerId: AccountId; local: boolean; item: CollectionItemRow },
) {
  const { id: itemId, collection_id: collectionId, account_id: memberId, state, uri: itemUri } = item;
  if (memberId === null || (state !== 'pending' && state !== 'accepted')) return;
  await writable(tx.db).deleteFrom('collection_items').where('id', '=', itemId).execute();
  tx.emit(collectionItemRemoved({ collectionId, accountId: ownerId, local, itemId, memberId, itemUri }));
}
