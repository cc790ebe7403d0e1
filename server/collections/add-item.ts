import type { App } from '../platform/app.ts';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { forbidden, validationFailed, notFound, invalidField } from '../platform/http/http-errors.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { requireFeaturableAccounts } from './consent/featurable-accounts.ts';
import { collectionItemAccepted, collectionItemRequested } from './events.ts';
import { findCollection, lockCollection } from './read/find-collections.ts';
import { insertItems, nextPlace } from './insert-items.ts';
import { collectionLimits } from './parse-collection.ts';

interface ItemAddition {
  readonly accountId: AccountId;
  readonly collectionId: CollectionId;
  readonly memberId: AccountId;
}

/**
 * Adds an account to a collection: a local one at once, a remote one after it accepts. Throws 404 if the collection or
 * the account does not exist; 403 for anyone but the owner, and for an account that may not be featured; 422 if it is
 * already in the collection, rejected it or revoked its authorization, and past 25 accounts.
 */
export async function addCollectionItem(
  app: App,
  { accountId, collectionId, memberId }: ItemAddition,
): Promise<CollectionItemId> {
  const collection = await findCollection(app, collectionId);
  if (collection === undefined) throw notFound();
  if (collection.account_id !== accountId) throw forbidden();
  const members = await requireFeaturableAccounts(app, accountId, [memberId]);
  const owner = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (owner === undefined) throw notFound();
  return transaction(app, async (tx) => {
    await lockCollection(tx, accountId, collectionId);
    const items = await tx.db
      .selectFrom('collection_items')
      .select(['account_id', 'state', 'place'])
      .where('collection_id', '=', collectionId)
      .execute();
    if (items.some((item) => item.account_id === memberId)) throw validationFailed('collections.accountTaken');
    const active = items.filter(({ state }) => state === 'pending' || state === 'accepted');
    if (active.length >= collectionLimits.items) {
      throw invalidField('collection_items', 'problems.tooMany', { max: collectionLimits.items });
    }
    const [item] = await insertItems(tx, app, { collectionId, owner, members, firstPlace: nextPlace(items) });
    if (item === undefined) throw notFound();
    const event = { collectionId, accountId, local: true, itemId: item.itemId };
    tx.emit(item.state === 'accepted' ? collectionItemAccepted(event) : collectionItemRequested(event));
    return item.itemId;
  });
}
