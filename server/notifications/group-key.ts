import type { StatusId } from '../platform/ids.ts';
import type { NotificationType } from './types.ts';

/** Maximum age of a notification group, in hours. */
const maxGroupHours = 12;
const hourMs = 3_600_000;

/**
 * Returns the prefix of a notification's group keys: one per favourited or reblogged status, one for all follows and
 * one for all sign-ups.
 * Undefined for types that are not grouped.
 */
export function groupPrefix(type: NotificationType, statusId: StatusId | undefined): string | undefined {
  switch (type) {
    case 'favourite':
    case 'reblog':
      return `${type}-${statusId}-`;
    case 'follow':
    case 'admin.sign_up':
      return `${type}-`;
    case 'added_to_collection':
    case 'admin.report':
    case 'collection_update':
    case 'follow_request':
    case 'mention':
    case 'moderation_warning':
    case 'poll':
    case 'quote':
    case 'quoted_update':
    case 'severed_relationships':
    case 'status':
    case 'update':
      return undefined;
  }
}

/**
 * Returns the group key of a new notification: the newest group of its prefix if that began less than twelve hours ago,
 * else a new one. A key ends with the hour (since the epoch) in which its group began.
 */
export function groupKey(prefix: string, newestKey: string | null, now: Date): string {
  const hour = Math.floor(now.getTime() / hourMs);
  const began = newestKey === null ? 0 : Number(newestKey.slice(prefix.length));
  return `${prefix}${hour < began + maxGroupHours ? began : hour}`;
}
