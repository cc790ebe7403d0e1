/** First segments of the paths that only the client has. server/pages/web/client-routes.ts has the same. */
const segments = [
  'announcements',
  'blocks',
  'bookmarks',
  'catch-up',
  'conversations',
  'deck',
  'directory',
  'domain_blocks',
  'drafts',
  'explore',
  'favourites',
  'follow_requests',
  'followed_tags',
  'home',
  'links',
  'lists',
  'moderation',
  'mutes',
  'notifications',
  'preferences',
  'public',
  'publish',
  'scheduled',
  'search',
];

const ownPath = new RegExp(`^/(?:${segments.join('|')})(?:/|$)`);
// Also pages of the server, which answers a signed-in person with the client.
const sharedPath = /^\/(?:$|@[^/]+(?:\/(?!.*embed$)[^.]*)?$|tags\/[^/.]+$|collections\/\d+$)/;
const feed = /\.(?:rss|json)$/;

/** Returns whether a signed-in person sees the client at this URL, so that it opens without a connection. */
export function isClientPage({ pathname, searchParams }: URL): boolean {
  if (searchParams.get('view') === 'page') return false;
  return ownPath.test(pathname) || (sharedPath.test(pathname) && !feed.test(pathname));
}
