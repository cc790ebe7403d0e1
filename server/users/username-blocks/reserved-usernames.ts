/** Names of the pages and addresses of the server. Others are blocked by rows of `username_blocks`, which staff change. */
const reserved = new Set(
  `about activity activitypub actor announcements api assets auth authorize_interaction avatars bookmarks conversations
  custom_css deck directory domain emoji emojis explore favourites federation feed followers following follow_requests
  getting_started headers health home inbox invite invites keyboard_shortcuts links lists local login logout manifest media
  nodeinfo notifications oauth outbox pinned privacy privacy_policy proxy public publish push relay relays rss rules search
  settings setup share shared_inbox sign_in sign_out sign_up sitemap start statuses streaming sw tag tags terms
  terms_of_service timeline timelines trends unsubscribe user users web webfinger well_known www`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Returns whether a name is that of a page or an address of the server. Unlike blocked ones, staff cannot free it. */
export function isReservedUsername(username: string): boolean {
  return reserved.has(username.toLowerCase());
}
