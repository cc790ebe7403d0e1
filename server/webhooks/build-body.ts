import { loadTokenCaller } from '../oauth/index.ts';
import { findNotification, presentNotifications } from '../notifications/index.ts';
import type { App } from '../platform/app.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId, NotificationId, StatusId } from '../platform/ids.ts';
import { presentAccountsFor } from '../relationships/read/index.ts';
import { isFollowing } from '../relationships/rules/index.ts';
import { presentStatus, requireVisibleStatus } from '../statuses/read/index.ts';
import { showsLocalOnly } from './local-only.ts';
import type { NextDelivery } from './pending-deliveries.ts';
import { buildStaffBody } from './staff/build-staff-body.ts';

/**
 * Returns the message about an event, as JSON, with what the account sees of it now; for a webhook of staff see
 * `buildStaffBody`. Undefined if it must not be sent (any more): the account may not use the API, no longer sees it, or it
 * shows a local-only post of another account.
 */
export async function buildBody(app: App, delivery: NextDelivery): Promise<string | undefined> {
  const { owner } = delivery;
  if (owner === null) return buildStaffBody(app, delivery);
  const caller = await loadTokenCaller(app, owner.tokenId);
  if (caller?.viewer === undefined || caller.deniedReason !== undefined) return undefined;
  const data = await findData(app, caller.viewer, delivery);
  if (data === undefined) return undefined;
  const head = {
    type: delivery.event,
    timestamp: delivery.createdAt.toISOString(),
    account_id: owner.accountId,
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
}

/** Returns what the event is about, as in the responses of the API. */
async function findData(
  app: App,
  viewer: CurrentUser,
  { event, subjectId }: NextDelivery,
): Promise<string | undefined> {
  if (subjectId === null) return '{}';
  switch (event) {
    case 'status.created':
    case 'status.updated':
      return findStatus(app, viewer, subjectId);
    case 'status.deleted':
      return JSON.stringify({ id: subjectId });
    case 'notification.created':
      return findNotificationText(app, viewer, subjectId);
    case 'follow.created':
      return findFollowed(app, viewer, subjectId);
    case 'follower.created':
      return findFollower(app, viewer, subjectId);
    case 'webhook.ping':
      return '{}';
    // Only webhooks of staff have the others.
    default:
      return undefined;
  }
}

async function findStatus(app: App, viewer: CurrentUser, id: StatusId): Promise<string | undefined> {
  try {
    await requireVisibleStatus(app, viewer.accountId, id);
    if (await showsLocalOnly(app, viewer.accountId, id)) return undefined;
    return (await presentStatus(app, viewer, id)).text;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

async function findNotificationText(app: App, viewer: CurrentUser, id: NotificationId): Promise<string | undefined> {
  const row = await findNotification(app, viewer.accountId, id);
  const statusId = row?.status_id;
  if (statusId != null && (await showsLocalOnly(app, viewer.accountId, statusId))) return undefined;
  const [notification] = row === undefined ? [] : await presentNotifications(app, viewer, [row]);
  return notification?.text;
}

async function findFollowed(app: App, viewer: CurrentUser, id: AccountId): Promise<string | undefined> {
  return (await isFollowing(app, viewer.accountId, id)) ? findAccountText(app, viewer, id) : undefined;
}

async function findFollower(app: App, viewer: CurrentUser, id: AccountId): Promise<string | undefined> {
  return (await isFollowing(app, id, viewer.accountId)) ? findAccountText(app, viewer, id) : undefined;
}

async function findAccountText(app: App, viewer: CurrentUser, id: AccountId): Promise<string | undefined> {
  const [account] = await presentAccountsFor(app, viewer, [id]);
  return account?.text;
}
