/** The types of notifications that the client words itself; the server sends others with a text. */
export const supportedTypes = [
  'mention',
  'status',
  'reblog',
  'favourite',
  'follow',
  'follow_request',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'added_to_collection',
  'collection_update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
] as const;
export type SupportedType = (typeof supportedTypes)[number];

/** The filters above the list, and the types that each shows. */
export const typeFilters = {
  mentions: ['mention'],
  favourites: ['favourite'],
  boosts: ['reblog'],
  follows: ['follow', 'follow_request'],
  polls: ['poll'],
  posts: ['status', 'update', 'quote', 'quoted_update'],
  others: ['added_to_collection', 'collection_update', 'severed_relationships', 'moderation_warning'],
  staff: ['admin.sign_up', 'admin.report'],
} as const satisfies Record<string, readonly SupportedType[]>;
export type TypeFilter = keyof typeof typeFilters;
