import type { App } from '../platform/app.ts';
import { type AccountId, fixedId } from '../platform/ids.ts';

/** The account that signs requests of the server itself. */
export const instanceActorId: AccountId = fixedId('-99');

/** Addresses of a local actor. */
export interface ActorUrls {
  /** ActivityPub id. */
  readonly uri: string;
  readonly inbox: string;
  readonly outbox: string;
  readonly followers: string;
  readonly following: string;
  /** Its followers on the requesting server (FEP-8fcf). */
  readonly followersSynchronization: string;
  /** Collection of its pinned posts. */
  readonly featured: string;
  /** Collection of the hashtags on its profile. */
  readonly featuredTags: string;
  /** Collection of the moderators of a group. */
  readonly moderators: string;
  readonly sharedInbox: string;
}

/**
 * Returns the username of the instance actor: the domain, or a fixed name if the domain has a port, because a colon cannot
 * be part of a handle.
 */
export function instanceActorName({ config: { domain } }: App): string {
  return domain.includes(':') ? 'fieldfare.internal' : domain;
}

/**
 * Returns the ActivityPub id of a new local account. Accounts moved from Mastodon may have another one, with the id of the
 * account (`/ap/users/1`), so it is stored.
 */
export const newActorUri = ({ config }: App, username: string): string => `${config.baseUrl}/users/${username}`;

/** Whether a local name is that of the instance actor. GoToSocial names it by the host of the pages, also if handles have another domain. */
export const isInstanceActorName = (app: App, username: string): boolean =>
  username === instanceActorName(app) || username === app.config.webDomain;

/** Returns the ActivityPub id of a new instance actor. One that moved here from GoToSocial has another. */
export const newInstanceActorUri = ({ config }: App): string => `${config.baseUrl}/actor`;

/** Returns the profile page of a local account. */
export function profileUrl(app: App, username: string): string {
  const { baseUrl } = app.config;
  return username === instanceActorName(app) ? `${baseUrl}/about` : `${baseUrl}/@${username}`;
}

/** Returns the addresses of the local actor with this stored id. They follow BASE_URL, which may have changed since. */
export function actorUrls({ config: { baseUrl } }: App, storedUri: string): ActorUrls {
  const uri = storedUri.replace(/^https?:\/\/[^/]+/, baseUrl);
  return {
    uri,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    followersSynchronization: `${uri}/followers_synchronization`,
    featured: `${uri}/collections/featured`,
    featuredTags: `${uri}/collections/tags`,
    moderators: `${uri}/collections/moderators`,
    sharedInbox: `${baseUrl}/inbox`,
  };
}
