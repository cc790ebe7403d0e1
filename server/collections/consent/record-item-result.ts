import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, CollectionItemId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Result of checking the authorization of a remote item: the member, or that it is invalid. */
export type ItemResult = { readonly memberId: AccountId } | 'refused';

/** Accepts or discards a pending remote item. No-op if it is no longer pending. */
export async function recordItemResult(app: App, itemId: CollectionItemId, verdict: ItemResult): Promise<void> {
  await transaction(app, async ({ db }) => {
    const item = await db
      .selectFrom('collection_items')
      .select(['id', 'collection_id'])
      .where('id', '=', itemId)
      .where('state', '=', 'pending')
      .forUpdate()
      .executeTakeFirst();
    if (item === undefined) return;
    const isDouble =
      verdict !== 'refused' &&
      (await db
        .selectFrom('collection_items')
        .select('id')
        .where('collection_id', '=', item.collection_id)
        .where('account_id', '=', verdict.memberId)
        .where('id', '<>', itemId)
        .executeTakeFirst()) !== undefined;
    if (verdict === 'refused' || isDouble) {
      await writable(db).deleteFrom('collection_items').where('id', '=', itemId).execute();
      return;
    }
    await writable(db)
      .updateTable('collection_items')
      .set({ state: 'accepted', account_id: verdict.memberId })
      .where('id', '=', itemId)
      .execute();
  });
}
