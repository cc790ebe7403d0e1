import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { PushSubscriptionId } from '../platform/ids.ts';
import { pushSubscriptionChanged } from './events.ts';
import { isHeldBy, type PushHolder } from './holder.ts';
import { presentSubscription, shownColumns } from './require-subscription.ts';
import type { PushDataInput, WebPushSubscription } from './schema.ts';
import { writable } from './tables.ts';

/**
 * Replaces the alerts and the policy of a holder's push subscription: those that are not sent are off, and the policy is
 * `all`. Throws 404 if the holder has none, or none with this id.
 */
export async function updateSubscription(
  app: App,
  { holder, id }: { readonly holder: PushHolder; readonly id?: PushSubscriptionId },
  input: PushDataInput,
): Promise<WebPushSubscription> {
  const updated = await transaction(app, async ({ db, emit }) => {
    const row = await writable(db)
      .updateTable('push_subscriptions')
      .set({ ...toStoredData(input), updated_at: app.clock.now() })
      .where(isHeldBy(holder))
      .$if(id !== undefined, (query) => query.where('id', '=', id as PushSubscriptionId))
      .returning([...shownColumns, 'account_id'])
      .executeTakeFirst();
    if (row !== undefined) emit(pushSubscriptionChanged({ accountId: row.account_id }));
    return row;
  });
  return presentSubscription(app, updated);
}

/** Returns the columns for the data of a request. */
export const toStoredData = ({ data, policy }: PushDataInput) => ({
  alerts: JSON.stringify(data?.alerts ?? {}),
  policy: data?.policy ?? policy ?? ('all' as const),
});
