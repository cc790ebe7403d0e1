import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { storeRemotePins } from '../../statuses/remote/index.ts';
import { storeRemoteFeaturedTags } from '../../hashtags/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { authorOf, isNote, parseNote } from '../documents/parse-note.ts';
import { idOf, isObject, isSameHost, textOf, typesOf } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { FetchError } from './fetch-document.ts';
import { fetchCollectionItems, type CollectionItems } from './fetch-collection.ts';
import { resolveStatus } from './resolve-status.ts';
import { storeNote } from './store-note.ts';

/** Same limits as on other servers. */
const maxPins = 10;
const maxTags = 10;

/** Replaces the pinned posts of a remote account, in their order. */
export async function refreshFeatured(app: App, account: AccountRow): Promise<void> {
  const found = await fetchFeaturedItems(app, account, account.featured_url, maxPins);
  if (found === undefined) return;
  const ids: StatusId[] = [];
  for (const item of found.items) {
    const id = await resolveListedStatus(app, account, item);
    if (id !== undefined) ids.push(id);
  }
  await storeRemotePins(app, account.id, ids);
}

/** Replaces the featured hashtags of a remote account. */
export async function refreshFeaturedTags(app: App, account: AccountRow): Promise<void> {
  const found = await fetchFeaturedItems(app, account, account.featured_tags_url, maxTags);
  if (found === undefined) return;
  const names = found.items.map(parseHashtagName).filter((name) => name !== undefined);
  await storeRemoteFeaturedTags(app, account.id, names);
}

/**
 * Returns the status of an item in a collection of an account. An unknown one is backfilled: an embedded status of the
 * account itself as it is, also in a Create, any other is fetched, so that a private one is included only if it is stored already.
 */
export async function resolveListedStatus(
  app: App,
  { uri: actorUri }: AccountRow,
  member: unknown,
): Promise<StatusId | undefined> {
  // Of snac.
  const item = isObject(member) && typesOf(member).includes('Create') ? member['object'] : member;
  const uri = idOf(item);
  if (uri === undefined || !isSameHost(uri, actorUri)) return undefined;
  const existing = await findStatusByUri(app, uri);
  if (existing !== undefined) return existing.id;
  if (!isObject(item) || !isNote(item) || authorOf(item) !== actorUri)
    return resolveStatus(app, uri, { backfilled: true });
  try {
    return await storeNote(app, parseNote(item), { backfilled: true });
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Returns the name of a Hashtag without `#`. */
export function parseHashtagName(item: unknown): string | undefined {
  if (!isObject(item) || !typesOf(item).includes('Hashtag')) return undefined;
  return textOf(item, 'name', 500)?.replace(/^#/, '');
}

/** Returns undefined if there is no such collection or it cannot be fetched. The stored items then remain. */
async function fetchFeaturedItems(
  app: App,
  account: AccountRow,
  url: string | null,
  maxItems: number,
): Promise<CollectionItems | undefined> {
  if (url === null) return undefined;
  try {
    return await fetchCollectionItems(app, url, account.uri, { pages: 2, items: maxItems });
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
