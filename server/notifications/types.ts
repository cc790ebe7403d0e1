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
  | 'collection_update';
