/** Names that could be mistaken for the server, its staff or one of its addresses. */
const reserved = new Set(
  `about abuse account accounts activity activitypub actor admin administrator announcements api assets auth
  authorize_interaction avatars bookmarks contact conversations custom_css deck directory domain emoji emojis explore
  favourites federation feed fieldfare followers following follow_requests getting_started headers health help home host
  hostmaster inbox info instance invite invites keyboard_shortcuts links lists local login logout mail manifest media mod
  moderation moderator moderators nodeinfo nobody notifications oauth official outbox owner pinned postmaster privacy
  privacy_policy proxy public publish push relay relays report root rss rules search security server settings setup share
  shared_inbox sign_in sign_out sign_up sitemap staff start statuses streaming support sw system tag tags terms
  terms_of_service timeline timelines trends unsubscribe user users web webfinger webmaster well_known www`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Returns whether sign-ups may not use this name. */
export function isReservedUsername(username: string): boolean {
  return reserved.has(username.toLowerCase());
}
