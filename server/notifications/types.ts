import type { Id } from '../platform/ids.ts';

/** The id of what a notification is about, in the table that its type names. */
export type SubjectId = Id<'notification-subject'>;

export type NotificationType =
  | 'mention'
  | 'status'
  | 'reblog'
  | 'favourite'
  | 'follow'
  | 'follow_request'
  | 'poll'
  | 'update'
  | 'quote'
  | 'quoted_update'
  | 'added_to_collection'
  | 'collection_update'
  | 'admin.sign_up'
  | 'admin.report'
  | 'severed_relationships'
  | 'moderation_warning';
