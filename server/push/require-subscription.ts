import type { Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { vapidKeys } from '../site/index.ts';
import { isHeldBy, type PushHolder } from './holder.ts';
import type { WebPushSubscription } from './schema.ts';
import type { PushTables } from './tables.ts';

/** The columns that `presentSubscription` needs. */
export const shownColumns = ['id', 'endpoint', 'standard', 'alerts', 'policy'] as const;
type ShownRow = Pick<Selectable<PushTables['push_subscriptions']>, (typeof shownColumns)[number]>;

/** Presents the push subscription of an access token or a browser. Throws 404 if it has none. */
export async function requireSubscription(app: App, holder: PushHolder): Promise<WebPushSubscription> {
  const row = await app.db
    .selectFrom('push_subscriptions')
    .select(shownColumns)
    .where(isHeldBy(holder))
    .executeTakeFirst();
  return presentSubscription(app, row);
}

/** Presents a subscription. Throws 404 if there is none. */
export async function presentSubscription(app: App, row: ShownRow | undefined): Promise<WebPushSubscription> {
  if (row === undefined) throw notFound();
  const { id, endpoint, standard, alerts, policy } = row;
  const { publicKey } = await vapidKeys(app);
  return { id: Number(id), endpoint, standard, server_key: publicKey, alerts, policy };
}
