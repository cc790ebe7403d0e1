import { actorUrls, instanceActorId } from '../../accounts/index.ts';
import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { announce } from '../documents/activities.ts';
import type { RelayRow } from '../tables.ts';
import { storeActivity } from './store-activity.ts';
import { lockLocalStatus } from './store-status-activity.ts';
import { listAcceptedRelays } from './subscribed-relays.ts';

/** Returns the inboxes of the relays, of one kind or all. Only public posts are relayed. */
export async function listRelayInboxes(app: App, kind?: RelayRow['kind']): Promise<string[]> {
  const relays = await listAcceptedRelays(app);
  return relays.flatMap((relay) => (kind === undefined || relay.kind === kind ? (relay.inbox_url ?? []) : []));
}

/** Whether public posts are relayed, so that they need a signature that others can verify. */
export const hasRelays = async (app: App): Promise<boolean> => (await listAcceptedRelays(app)).length > 0;

/** Announces a new public post to the LitePub relays, which take no Create. */
export async function announceToRelays(app: App, statusId: StatusId): Promise<void> {
  const inboxes = await listRelayInboxes(app, 'litepub');
  if (inboxes.length === 0) return;
  const { uri: actor, followers } = actorUrls(app, await ensureInstanceActor(app));
  await transaction(app, async (tx) => {
    const status = await lockLocalStatus(tx, statusId);
    if (status === undefined || status.deleted_at !== null || status.author_silenced || status.visibility !== 'public')
      return;
    const activity = announce({
      id: `${actor}#announces/${statusId}`,
      actor,
      followers,
      published: app.clock.now(),
      object: status.uri,
      objectAuthor: actor,
      visibility: 'public',
    });
    await storeActivity(tx, app, { senderId: instanceActorId, activity, inboxes, orderKey: status.uri });
  });
}
