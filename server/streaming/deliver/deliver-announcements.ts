import { presentAnnouncementToAll, presentReactionUpdate, type AnnouncementId } from '../../announcements/index.ts';
import { perApp, type App } from '../../platform/app.ts';
import { streamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import type { Subscription } from '../connections/subscription.ts';
import { deliveries } from './deliveries.ts';
import { sendToAll } from './send.ts';

interface AnnouncementChange {
  readonly announcementId: AnnouncementId;
}

/** Sends a published or edited announcement to every `user` stream. */
export function deliverAnnouncement(app: App, { announcementId }: AnnouncementChange): Promise<void> | undefined {
  return start(app, async () => {
    const announcement = await presentAnnouncementToAll(app, announcementId);
    return announcement && new StreamEvent('announcement', announcement.text);
  });
}

/** Sends the id of an announcement that is no longer published. */
export function deliverAnnouncementDeletion(
  app: App,
  { announcementId }: AnnouncementChange,
): Promise<void> | undefined {
  return start(app, async () => new StreamEvent('announcement.delete', announcementId));
}

/** Reactions whose counts are about to be sent. */
const pendingReactions = perApp(() => new Set<string>());

/**
 * Sends the number of reactions with one emoji, unless the announcement is gone (ANN-02). Reactions that arrive before the
 * number is read are sent together, so that a rush of them costs each stream few events.
 */
export function deliverReaction(
  app: App,
  { announcementId, name }: AnnouncementChange & { readonly name: string },
): Promise<void> | undefined {
  if (streamHub(app).homes.keys.length === 0) return undefined;
  const pending = pendingReactions(app);
  const key = `${announcementId} ${name}`;
  if (pending.has(key)) return undefined;
  pending.add(key);
  const delivery = start(app, async () => {
    pending.delete(key);
    const update = await presentReactionUpdate(app, announcementId, name);
    return update && new StreamEvent('announcement.reaction', JSON.stringify(update));
  });
  if (delivery === undefined) pending.delete(key);
  return delivery;
}

/** Sends an event to every `user` stream, after earlier ones about announcements. No-op without such streams. */
function start(app: App, build: () => Promise<StreamEvent | undefined>): Promise<void> | undefined {
  const { homes } = streamHub(app);
  if (homes.keys.length === 0) return undefined;
  return deliveries(app).start('announcements', async () => {
    const event = await build();
    if (event !== undefined) await sendToAll(allSubscriptions(app), event);
  });
}

function* allSubscriptions(app: App): Iterable<Subscription> {
  const { homes } = streamHub(app);
  for (const accountId of homes.keys) yield* homes.get(accountId);
}
