import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { isHttpUrl } from '../documents/values.ts';
import type { FollowersDigest } from './followers-digest.ts';

/** Header in which two servers compare the followers of an account (FEP-8fcf). */
export const synchronizationHeaderName = 'collection-synchronization';

/** Content of the header. */
export interface SynchronizationHeader {
  /** URL of the collection of all followers. */
  readonly collectionId: string;
  /** URL of the followers on the receiving server. */
  readonly url: string;
  readonly digest: FollowersDigest;
}

/** Formats the header for an activity of a local account to its followers. */
export function formatSynchronizationHeader(app: App, senderUri: string, digest: FollowersDigest): string {
  const { followers, followersSynchronization } = actorUrls(app, senderUri);
  return `collectionId="${followers}", url="${followersSynchronization}", digest="${digest}"`;
}

/** Parses the header; returns undefined if it is invalid. */
export function parseSynchronizationHeader(field: string): SynchronizationHeader | undefined {
  if (field.length > 8192) return undefined;
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of field.matchAll(/(?:^|,)\s*(\w+)\s*=\s*"([^"\\]*)"/g)) found.set(name, value);
  const [collectionId, url, digest] = [found.get('collectionId'), found.get('url'), found.get('digest')];
  if (collectionId === undefined || !isHttpUrl(url) || !/^[0-9a-f]{64}$/i.test(digest ?? '')) return undefined;
  return { collectionId, url, digest: digest?.toLowerCase() ?? '' };
}
