import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { isEqualInConstantTime } from '../platform/equal-in-constant-time.ts';
import { isId, type PushSubscriptionId } from '../platform/ids.ts';
import { loadSigner } from '../site/index.ts';
import { pushSubscriptionChanged } from './events.ts';
import { writable } from './tables.ts';

/** A token is valid for as long as push services store a message (reference/endpoints.tsv, group web). */
const validitySeconds = 2 * 86_400;

interface Endpoint {
  readonly subscriptionId: PushSubscriptionId;
  readonly endpoint: string;
}

/** Returns the URL with which a push service may delete a subscription whose client is gone. */
export async function unsubscribeUrl(app: App, endpoint: Endpoint): Promise<string> {
  const sign = await loadEndpointSigner(app);
  const expires = Math.floor(app.clock.now().getTime() / 1000) + validitySeconds;
  const token = `${endpoint.subscriptionId}-${expires}-${sign(endpoint, expires)}`;
  return `${app.config.baseUrl}/api/web/push_subscriptions/${token}`;
}

/**
 * Deletes the subscription that an unsubscribe URL names. No-op if the token is invalid or expired, or if the client
 * replaced its endpoint.
 */
export async function unsubscribeByToken(app: App, token: string): Promise<void> {
  const [, id = '', expires = '', signature = ''] = /^(\d{1,19})-(\d{1,12})-([\w-]+)$/.exec(token) ?? [];
  if (!isId(id) || Number(expires) * 1000 < app.clock.now().getTime()) return;
  const subscriptionId = id;
  const sign = await loadEndpointSigner(app);
  await transaction(app, async ({ db, emit }) => {
    const row = await db
      .selectFrom('push_subscriptions')
      .select(['endpoint', 'account_id'])
      .where('id', '=', subscriptionId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    const expected = sign({ subscriptionId, endpoint: row.endpoint }, Number(expires));
    if (!isEqualInConstantTime(signature, expected)) return;
    await writable(db).deleteFrom('push_subscriptions').where('id', '=', subscriptionId).execute();
    emit(pushSubscriptionChanged({ accountId: row.account_id }));
  });
}

async function loadEndpointSigner(app: App): Promise<(endpoint: Endpoint, expires: number) => string> {
  const sign = await loadSigner(app, 'push unsubscribe');
  return ({ subscriptionId, endpoint }, expires) => sign(`${subscriptionId} ${expires} ${endpoint}`);
}
