import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { isHttpUrl } from '../documents/values.ts';
import type { FollowersDigest } from './followers-digest.ts';

/** Name of the header field in which two servers compare whom they hold to be somebody's followers (FEP-8fcf). */
export const synchronizationHeaderName = 'collection-synchronization';

/** What such a field says. */
export interface SynchronizationHeader {
  /** Address of the collection of all followers. */
  readonly collectionId: string;
  /** Where those of the receiving server are told. */
  readonly url: string;
  readonly digest: FollowersDigest;
}

/** The field that goes with what a local account sends to its followers. */
export function formatSynchronizationHeader(app: App, username: string, digest: FollowersDigest): string {
  const { followers, followersSynchronization } = actorUrls(app, username);
  return `collectionId="${followers}", url="${followersSynchronization}", digest="${digest}"`;
}

/** Reads such a field; undefined when something is missing or not of its kind. */
export function parseSynchronizationHeader(field: string): SynchronizationHeader | undefined {
  if (field.length > 8192) return undefined;
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of field.matchAll(/(?:^|,)\s*(\w+)\s*=\s*"([^"\\]*)"/g)) found.set(name, value);
  const [collectionId, url, digest] = [found.get('collectionId'), found.get('url'), found.get('digest')];
  if (collectionId === undefined || !isHttpUrl(url) || !/^[0-9a-f]{64}$/i.test(digest ?? '')) return undefined;
  return { collectionId, url, digest: digest?.toLowerCase() ?? '' };
}
