import type { StatusId } from '../platform/ids.ts';
import type { NotificationType } from './types.ts';

/** Hours that one group of notifications may span. */
const maxGroupHours = 12;
const hourMs = 3_600_000;

/**
 * What the keys of a notification's groups begin with: one for each status that is favourited or reblogged, one for all
 * follows. Undefined for a type that is not grouped.
 */
export function groupPrefix(type: NotificationType, statusId: StatusId | undefined): string | undefined {
  switch (type) {
    case 'favourite':
    case 'reblog':
      return `${type}-${statusId}-`;
    case 'follow':
      return 'follow-';
    case 'added_to_collection':
    case 'collection_update':
    case 'follow_request':
    case 'mention':
    case 'poll':
    case 'quote':
    case 'quoted_update':
    case 'status':
    case 'update':
      return undefined;
  }
}

/**
 * The key of the group that a notification of now belongs to: the newest group of its prefix while that began less than
 * twelve hours ago, else a new one. Groups are named by the hour (since the epoch) in which they began.
 */
export function groupKey(prefix: string, newestKey: string | null, now: Date): string {
  const hour = Math.floor(now.getTime() / hourMs);
  const began = newestKey === null ? 0 : Number(newestKey.slice(prefix.length));
  return `${prefix}${hour < began + maxGroupHours ? began : hour}`;
}
