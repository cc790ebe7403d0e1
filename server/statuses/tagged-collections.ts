import { presentCollections } from '../collections/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson } from '../platform/http/http-response.ts';
import { JsonSlot } from '../platform/http/json-template.ts';
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

/** What `TaggedCollectionsSlot` needs. */
export interface CollectionsContext {
  readonly collections: CollectionJsonById;
}

/** `tagged_collections` of a status. */
export class TaggedCollectionsSlot extends JsonSlot<CollectionsContext> {
  readonly #ids: readonly CollectionId[];

  constructor(ids: readonly CollectionId[]) {
    super();
    this.#ids = ids;
  }

  override render({ collections }: CollectionsContext): string {
    return `[${this.#ids.flatMap((id) => collections.get(id) ?? []).join(',')}]`;
  }

  override toJSON(): unknown[] {
    return [];
  }
}
