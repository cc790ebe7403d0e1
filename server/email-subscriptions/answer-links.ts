import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { findByToken } from './links.ts';
import { writable } from './tables.ts';

/** Confirms a subscription by the token in its mail. Returns false if the token is invalid or the subscription ended. */
export async function confirmSubscription(app: App, token: string): Promise<boolean> {
  const subscription = await findByToken(app, 'confirm', token);
  if (subscription === undefined) return false;
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('email_subscriptions')
      .set({ confirmed_at: app.clock.now() })
      .where('id', '=', subscription.id)
      .where('confirmed_at', 'is', null)
      .execute();
  });
  return true;
}

/** Deletes a subscription, with its address, by the token in its mails. No-op if the token is invalid. */
export async function unsubscribe(app: App, token: string): Promise<void> {
  const subscription = await findByToken(app, 'unsubscribe', token);
  if (subscription === undefined) return;
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('email_subscriptions').where('id', '=', subscription.id).execute();
  });
}
