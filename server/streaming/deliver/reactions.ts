import {
  announcementEdited,
  announcementPublished,
  announcementReactionsChanged,
  announcementUnpublished,
} from '../../announcements/index.ts';
import { conversationUpdated } from '../../conversations/index.ts';
import { filtersChanged } from '../../filters/index.ts';
import { notificationCreated, requestsMerged } from '../../notifications/index.ts';
import type { App } from '../../platform/app.ts';
import { publish } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { StatusId } from '../../platform/ids.ts';
import { pollRefreshed, pollUpdated } from '../../polls/index.ts';
import { quoteChanged } from '../../quotes/index.ts';
import {
  quotePolicyChanged,
  statusCreated,
  statusDeleted,
  statusEdited,
  statusReblogged,
  statusUnreblogged,
} from '../../statuses/index.ts';
import { statusDetached } from '../../statuses/approval/index.ts';
import { statusReacted, statusUnreacted } from '../../statuses/emoji-reactions/index.ts';
import { streamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import { deliverAnnouncement, deliverAnnouncementDeletion, deliverReaction } from './deliver-announcements.ts';
import { deliverConversation } from './deliver-conversation.ts';
import { deliverDeletion } from './deliver-deletion.ts';
import { deliverNotification } from './deliver-notification.ts';
import { deliverChangedStatus, deliverNewStatus } from './deliver-status.ts';
import { deliveries } from './deliveries.ts';
import { sendToAll } from './send.ts';
import { sendToUsers } from './send-to-users.ts';

const startChanged = startStatus(deliverChangedStatus);

/**
 * For events without content. Not empty: masto.js stops reading at a payload that is not JSON, and an EventSource drops
 * events without data.
 */
const noPayload = '1';

/** Sends what happens to the clients that are connected to this process. */
export const deliverEvents: readonly Subscription[] = [
  publish([statusCreated, statusReblogged], { run: startStatus(deliverNewStatus) }),
  publish(
    [statusEdited, statusDetached, quotePolicyChanged, statusReacted, statusUnreacted, pollRefreshed, pollUpdated],
    { run: startChanged },
  ),
  publish([quoteChanged], {
    // A new quote is part of a new status.
    run: (app, { statusId, from }) => (from === 'new' ? undefined : startChanged(app, { statusId })),
  }),
  publish([statusDeleted, statusUnreblogged], { run: startStatus(deliverDeletion) }),
  publish([notificationCreated], {
    run: (app, event) => {
      if (!streamHub(app).notifications.has(event.accountId)) return undefined;
      return deliveries(app).start(`notifications ${event.accountId}`, () => deliverNotification(app, event));
    },
  }),
  publish([requestsMerged], {
    run: (app, { accountId }) =>
      deliveries(app).start(`notifications ${accountId}`, () =>
        sendToAll(streamHub(app).notifications.get(accountId), new StreamEvent('notifications_merged', noPayload)),
      ),
  }),
  publish([conversationUpdated], {
    run: (app, event) => {
      if (!streamHub(app).conversations.has(event.accountId)) return undefined;
      return deliveries(app).start(`conversations ${event.accountId}`, () => deliverConversation(app, event));
    },
  }),
  publish([announcementPublished, announcementEdited], { run: deliverAnnouncement }),
  publish([announcementReactionsChanged], { run: deliverReaction }),
  publish([announcementUnpublished], { run: deliverAnnouncementDeletion }),
  publish([filtersChanged], {
    run: (app, { accountId }) => sendToUsers(app, accountId, new StreamEvent('filters_changed', noPayload)),
  }),
];

/** Starts a delivery about a status, after earlier ones about it or its thread. No-op without connections. */
function startStatus(deliver: (app: App, id: StatusId) => Promise<void>) {
  return (
    app: App,
    { statusId, threadId }: { readonly statusId: StatusId; readonly threadId?: StatusId },
  ): Promise<void> | undefined => {
    if (streamHub(app).size === 0) return undefined;
    const keys = [`status ${statusId}`, ...(threadId === undefined ? [] : [`thread ${threadId}`])];
    return deliveries(app).start(keys, () => deliver(app, statusId));
  };
}
