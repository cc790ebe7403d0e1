import { instanceActorId } from '../../accounts/index.ts';
import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { follow, undo } from '../documents/activities.ts';
import { publicCollection } from '../documents/contexts.ts';
import type { Json } from '../documents/values.ts';
import type { RelayRow } from '../tables.ts';

/** Sends the Follow of the instance actor to a relay whose inbox is known. The instance actor must be stored. */
export async function sendFollow(tx: Transaction, app: App, relay: RelayRow): Promise<void> {
  await send(tx, app, relay, followOf(await ensureInstanceActor(app), relay));
}

/** Undoes the Follow. The instance actor must be stored. */
export async function sendUndo(tx: Transaction, app: App, relay: RelayRow): Promise<void> {
  const actor = await ensureInstanceActor(app);
  await send(tx, app, relay, undo(actor, followOf(actor, relay)));
}

/** A relay of Mastodon's kind is subscribed by following the public collection, one of LitePub's by its actor. */
const followOf = (actor: string, { kind, actor_uri, follow_id, follow_uri }: RelayRow): Json =>
  follow(actor, follow_id ?? '', kind === 'mastodon' ? publicCollection : (actor_uri ?? ''), follow_uri);

async function send(tx: Transaction, app: App, { id, inbox_url: inbox }: RelayRow, activity: Json): Promise<void> {
  if (inbox === null) return;
  await storeActivity(tx, app, {
    senderId: instanceActorId,
    activity,
    inboxes: [inbox],
    orderKey: `relay ${id}`,
  });
}
