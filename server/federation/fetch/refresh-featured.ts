import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { storeRemotePins } from '../../statuses/index.ts';
import { storeRemoteFeaturedTags } from '../../tags/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { authorOf, isNote, readNote } from '../documents/read-note.ts';
import { idOf, isObject, sameHost, textOf, typesOf } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';
import { FetchError } from './fetch-document.ts';
import { readItems, type ReadItems } from './read-collection.ts';
import { resolveStatus } from './resolve-status.ts';
import { storeNote } from './store-note.ts';

/** More than what other servers allow is not kept. */
const mostPins = 10;
const mostTags = 10;

/** Takes over which posts an account of another server has on top of its profile, in their order. */
export async function refreshFeatured(app: App, account: AccountRow): Promise<void> {
  const found = await find(app, account, account.featured_url, mostPins);
  if (found === undefined) return;
  const ids: StatusId[] = [];
  for (const item of found.items) {
    const id = await pinnedStatus(app, account, item);
    if (id !== undefined) ids.push(id);
  }
  await storeRemotePins(app, account.id, ids);
}

/** Takes over which hashtags the profile of an account of another server shows. */
export async function refreshFeaturedTags(app: App, account: AccountRow): Promise<void> {
  const found = await find(app, account, account.featured_tags_url, mostTags);
  if (found === undefined) return;
  const names = found.items.map(hashtagOf).filter((name) => name !== undefined);
  await storeRemoteFeaturedTags(app, account.id, names);
}

/**
 * The status that an item of a `featured` collection is about. One that came whole is believed when it is of the account,
 * whose server gave it; any other is fetched, so that a private one stays out unless it is known here already.
 */
export async function pinnedStatus(
  app: App,
  { uri: actorUri }: AccountRow,
  item: unknown,
): Promise<StatusId | undefined> {
  const uri = idOf(item);
  if (uri === undefined || !sameHost(uri, actorUri)) return undefined;
  const known = await findKnownStatus(app, uri);
  if (known !== undefined) return known.id;
  if (!isObject(item) || !isNote(item) || authorOf(item) !== actorUri) return resolveStatus(app, uri);
  try {
    return await storeNote(app, readNote(item));
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The name in a Hashtag, without its sign. */
export function hashtagOf(item: unknown): string | undefined {
  if (!isObject(item) || !typesOf(item).includes('Hashtag')) return undefined;
  return textOf(item, 'name', 500)?.replace(/^#/, '');
}

/** Undefined when there is no such collection, or it cannot be had: then what is known stays. */
async function find(app: App, account: AccountRow, url: string | null, most: number): Promise<ReadItems | undefined> {
  if (url === null) return undefined;
  try {
    return await readItems(app, url, account.uri, { pages: 2, items: most });
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
