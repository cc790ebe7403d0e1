import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { forbidden, notFound } from '../platform/http/http-errors.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { featureAuthorizationRevoked, collectionItemRemoved } from './events.ts';
import { lockCollection, type CollectionItemRow } from './find-collections.ts';

interface ItemPath {
  readonly accountId: AccountId;
  readonly collectionId: CollectionId;
  readonly itemId: CollectionItemId;
}

/**
 * Takes an account out of a collection in the name of its owner. 404 when it is not in it: who took back its consent
 * stays known, so that it is not put in again. 403 for others than the owner.
 */
export async function removeCollectionItem(app: App, { accountId, collectionId, itemId }: ItemPath): Promise<void> {
  await transaction(app, async (tx) => {
    const { local } = await lockCollection(tx, accountId, collectionId);
    const item = await tx.db
      .deleteFrom('collection_items')
      .where('id', '=', itemId)
      .where('collection_id', '=', collectionId)
      .where('state', 'in', ['pending', 'accepted'])
      .returning(['account_id', 'uri'])
      .executeTakeFirst();
    if (item === undefined) throw notFound();
    if (item.account_id === null) return;
    tx.emit(
      collectionItemRemoved({ collectionId, accountId, local, itemId, memberId: item.account_id, itemUri: item.uri }),
    );
  });
}

/**
 * Takes back the consent of `accountId` to stand in a collection; again, it changes nothing. 404 when there is no such
 * place, 403 when it is another account's.
 */
export async function revokeCollectionItem(app: App, { accountId, collectionId, itemId }: ItemPath): Promise<void> {
  await transaction(app, async (tx) => {
    const item = await tx.db
      .selectFrom('collection_items')
      .selectAll()
      .where('id', '=', itemId)
      .where('collection_id', '=', collectionId)
      .forUpdate()
      .executeTakeFirst();
    if (item === undefined) throw notFound();
    if (item.account_id !== accountId) throw forbidden();
    await revokeLockedItem(tx, item);
  });
}

/** Marks a place as revoked by the one who stood in it, and says so; nothing when it is already. The caller has locked it. */
export async function revokeLockedItem(tx: Transaction, item: CollectionItemRow): Promise<void> {
  const { id: itemId, collection_id: collectionId, account_id: memberId, state, uri } = item;
  if (memberId === null || (state !== 'pending' && state !== 'accepted')) return;
  const facts = await tx.db
    .selectFrom('collections')
    .innerJoin('accounts as member', (join) => join.on('member.id', '=', memberId))
    .select(['collections.account_id', 'collections.local', sql<boolean>`member.domain is null`.as('isMemberLocal')])
    .where('collections.id', '=', collectionId)
    .executeTakeFirstOrThrow();
  // Who may ask whom again is for their own servers to know.
  if (!facts.local && !facts.isMemberLocal) {
    await tx.db.deleteFrom('collection_items').where('id', '=', itemId).execute();
  } else {
    await tx.db.updateTable('collection_items').set({ state: 'revoked' }).where('id', '=', itemId).execute();
  }
  const event = { collectionId, accountId: facts.account_id, local: facts.local, itemId, memberId };
  tx.emit(collectionItemRemoved({ ...event, itemUri: uri }));
  if (facts.isMemberLocal) tx.emit(featureAuthorizationRevoked(event));
}

/** Who blocks somebody leaves its collections for good, and puts it out of the own ones. */
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

/** Who wants nothing to do with a whole server leaves the collections of its accounts for good. */
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
  await tx.db.deleteFrom('collection_items').where('id', '=', itemId).execute();
  tx.emit(collectionItemRemoved({ collectionId, accountId: ownerId, local, itemId, memberId, itemUri }));
}
