import type { App } from '../platform/app.ts';
import { type AccountId, fixedId } from '../platform/ids.ts';

/** The account that signs requests of the server itself. */
export const instanceActorId: AccountId = fixedId('-99');

/** Addresses of a local actor. */
export interface ActorUrls {
  /** ActivityPub id. */
  readonly uri: string;
  /** Profile page. */
  readonly url: string;
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

/** Returns the addresses of the local account of this name. */
export function actorUrls(app: App, username: string): ActorUrls {
  const { baseUrl } = app.config;
  const isInstance = username === instanceActorName(app);
  const uri = isInstance ? `${baseUrl}/actor` : `${baseUrl}/users/${username}`;
  return {
    uri,
    url: isInstance ? `${baseUrl}/about` : `${baseUrl}/@${username}`,
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
