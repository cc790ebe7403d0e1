import { presentCollections } from '../../collections/read/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson } from '../../platform/http/http-response.ts';
import { JsonSlot } from '../../platform/http/json-template.ts';
import type { AccountId, CollectionId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';

export type CollectionJsonById = ReadonlyMap<CollectionId, string>;

const noCollections: CollectionJsonById = new Map();

/** Returns the collections that these statuses link to, as `viewer` sees them. No query if there are no links. */
export async function loadLinkedCollections(
  app: App,
  viewer: { readonly accountId: AccountId } | undefined,
  statuses: readonly { readonly collectionIds: readonly CollectionId[] }[],
): Promise<CollectionJsonById> {
  const ids = statuses.flatMap(({ collectionIds }) => collectionIds);
  if (ids.length === 0) return noCollections;
  const [collections, relations] = await Promise.all([
    presentCollections(app, viewer, [...new Set(ids)]),
    viewer && loadAccountRelations(app, viewer.accountId),
  ]);
  const visible = collections.filter((collection) => relations?.blockedBy.has(collection.account_id) !== true);
  return new Map(visible.map((collection) => [collection.id, asciiJson(collection)]));
}

export interface CollectionsContext {
  readonly collections: CollectionJsonById;
}

/** The `tagged_collections` of a status. */
export class TaggedCollectionsSlot extends JsonSlot<CollectionsContext> {
  readonly #ids: readonly CollectionId[];

  constructor(ids: readonly CollectionId[]) {
    super();
    this.#ids = ids;
  }

  override render({ collections }: CollectionsContext): string | undefined {
    if (collections.size === 0) return undefined;
    return `[${this.#ids.flatMap((id) => collections.get(id) ?? []).join(',')}]`;
  }

  override toJSON(): unknown[] {
    return [];
  }
}
