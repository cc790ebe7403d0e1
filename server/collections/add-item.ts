import type { App } from '../platform/app.ts';
import { accountBodies } from '../accounts/index.ts';
import { write } from '../platform/database/write.ts';
import { forbidden, invalid, notFound } from '../platform/http/problems.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { requireFeaturable } from './consent.ts';
import { itemAccepted, itemRequested } from './events.ts';
import { findCollection, lockCollection } from './find-collections.ts';
import { insertItems, nextPlace } from './insert-items.ts';
import { collectionLimits } from './read-collection.ts';

interface Addition {
  readonly accountId: AccountId;
  readonly collectionId: CollectionId;
  readonly memberId: AccountId;
}

/**
 * Puts an account into a collection: one of this server at once, one of another is asked. 404 when one of both is not
 * there, 403 for others than the owner and for an account that may not be featured, 422 when it stands in it already, was
 * refused or took its consent back, and past 25 accounts.
 */
export async function addItem(app: App, { accountId, collectionId, memberId }: Addition): Promise<CollectionItemId> {
  const known = await findCollection(app, collectionId);
  if (known === undefined) throw notFound();
  if (known.account_id !== accountId) throw forbidden();
  const members = await requireFeaturable(app, accountId, [memberId]);
  const owner = (await accountBodies(app, [accountId])).get(accountId);
  if (owner === undefined) throw notFound();
  return write(app, async (write) => {
    await lockCollection(write, accountId, collectionId);
    const items = await write.db
      .selectFrom('collection_items')
      .select(['account_id', 'state', 'place'])
      .where('collection_id', '=', collectionId)
      .execute();
    if (items.some((item) => item.account_id === memberId)) throw invalid('Account has already been taken');
    const standing = items.filter(({ state }) => state === 'pending' || state === 'accepted');
    if (standing.length >= collectionLimits.items) {
      throw invalid(`Collection items are too many (maximum is ${collectionLimits.items})`);
    }
    const [item] = await insertItems(write, app, { collectionId, owner, members, firstPlace: nextPlace(items) });
    if (item === undefined) throw notFound();
    const event = { collectionId, accountId, local: true, itemId: item.itemId };
    write.emit(item.state === 'accepted' ? itemAccepted(event) : itemRequested(event));
    return item.itemId;
  });
}
