import { presentCollections } from '../collections/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson } from '../platform/http/http-response.ts';
import type { AccountId, CollectionId } from '../platform/ids.ts';
import { loadAccountRelations } from '../relationships/index.ts';
import type { CachedStatus } from './status-cache.ts';

/** Collections as JSON, by id. */
export type CollectionJsonById = ReadonlyMap<CollectionId, string>;

const noCollections: CollectionJsonById = new Map();

/** The collections that these statuses link to, as `viewer` sees them; costs nothing where there are none. */
export async function loadLinkedCollections(
  app: App,
  viewer: { readonly accountId: AccountId } | undefined,
  originals: Iterable<CachedStatus>,
): Promise<CollectionJsonById> {
  const ids = [...originals].flatMap(({ collectionIds }) => collectionIds);
  if (ids.length === 0) return noCollections;
  const [collections, relations] = await Promise.all([
    presentCollections(app, viewer, [...new Set(ids)]),
    viewer && loadAccountRelations(app, viewer.accountId),
  ]);
  const shown = collections.filter((collection) => relations?.blockedBy.has(collection.account_id) !== true);
  return new Map(shown.map((collection) => [collection.id, asciiJson(collection)]));
}

/** Puts the collections of a status into its JSON, which is made without them. */
export function insertCollections(head: string, { collectionIds }: CachedStatus, texts: CollectionJsonById): string {
  if (collectionIds.length === 0) return head;
  const list = collectionIds.flatMap((id) => texts.get(id) ?? []).join(',');
  return head.replace('"tagged_collections":[]', () => `"tagged_collections":[${list}]`);
}
