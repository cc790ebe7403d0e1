import type { GroupedNotificationsResults, Notification, NotificationGroup } from '../api/entities.ts';
import { compareIds } from '../store/compare-ids.ts';

/** A group of notifications as the list shows it. Its id is that of its newest notification. */
export interface ShownGroup {
  readonly key: string;
  readonly type: string;
  /** Of the newest notification; ids are too large for numbers. */
  readonly newestId: string;
  readonly time: string;
  readonly count: number;
  /** Who caused it, newest first; the server names some of many. */
  readonly senderIds: readonly string[];
  readonly statusId: string | undefined;
  readonly about: Pick<NotificationGroup, 'collection' | 'report' | 'event' | 'moderation_warning' | 'fallback'>;
}

const maxSenders = 8;

/** Returns the groups of a page, in its order. */
export const toShownGroups = ({ notification_groups: groups }: GroupedNotificationsResults): readonly ShownGroup[] =>
  groups.map((group) => ({
    key: group.group_key,
    type: group.type,
    newestId: group.page_max_id ?? String(group.most_recent_notification_id),
    time: group.latest_page_notification_at ?? '',
    count: group.notifications_count,
    senderIds: group.sample_account_ids,
    statusId: group.status_id,
    about: aboutOf(group),
  }));

/** Returns a group with only this notification. */
export const toGroup = (notification: Notification): ShownGroup => ({
  key: notification.group_key,
  type: notification.type,
  newestId: notification.id,
  time: notification.created_at,
  count: 1,
  senderIds: [notification.account.id],
  statusId: notification.status?.id,
  about: aboutOf(notification),
});

const aboutOf = ({
  collection,
  report,
  event,
  moderation_warning,
  fallback,
}: Notification | NotificationGroup): ShownGroup['about'] => ({
  ...(collection !== undefined && { collection }),
  ...(report !== undefined && { report }),
  ...(event !== undefined && { event }),
  ...(moderation_warning !== undefined && { moderation_warning }),
  ...(fallback !== undefined && { fallback }),
});

/** Adds a new notification on top: to its group if that is shown, else as a group of its own. */
export function addNotification(groups: readonly ShownGroup[], notification: Notification): readonly ShownGroup[] {
  const added = toGroup(notification);
  const known = groups.find(({ key }) => key === added.key);
  if (known === undefined) return [added, ...groups];
  if (compareIds(known.newestId, added.newestId) >= 0) return groups;
  const [senderId = ''] = added.senderIds;
  const senderIds = [senderId, ...known.senderIds.filter((id) => id !== senderId)].slice(0, maxSenders);
  const merged = { ...added, senderIds, count: known.count + 1 };
  return [merged, ...groups.filter((group) => group !== known)];
}

/** Adds older groups at the end, without those that are shown already. */
export function appendGroups(groups: readonly ShownGroup[], older: readonly ShownGroup[]): readonly ShownGroup[] {
  const known = new Set(groups.map(({ key }) => key));
  return [...groups, ...older.filter(({ key }) => !known.has(key))];
}
