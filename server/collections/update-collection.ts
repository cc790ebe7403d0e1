import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, CollectionId } from '../platform/ids.ts';
import { collectionUpdated } from './events.ts';
import { lockCollection } from './read/find-collections.ts';
import { parseCollectionText, type CollectionText } from './parse-collection.ts';
import { requireTag } from './require-tag.ts';
import { writable } from './tables.ts';

export interface CollectionChanges extends CollectionText {
  readonly sensitive?: boolean | undefined;
  readonly discoverable?: boolean | undefined;
}

/** Changes a collection. Throws 404 if it does not exist, 403 for anyone but the owner, 422 for invalid input. */
export async function updateCollection(
  app: App,
  accountId: AccountId,
  id: CollectionId,
  input: CollectionChanges,
): Promise<void> {
  await transaction(app, async (tx) => {
    const before = await lockCollection(tx, accountId, id);
    const { tagName, ...text } = parseCollectionText(input);
    const tagId = tagName == null ? tagName : await requireTag(tx, app, tagName);
    const after = {
      ...before,
      ...text,
      ...(tagId !== undefined && { tag_id: tagId }),
      ...(input.sensitive !== undefined && { sensitive: input.sensitive }),
      ...(input.discoverable !== undefined && { discoverable: input.discoverable }),
    };
    const names = ['name', 'description', 'language', 'tag_id', 'sensitive', 'discoverable'] as const;
    if (names.every((name) => after[name] === before[name])) return;
    const { name, description, language, tag_id, sensitive, discoverable } = after;
    await writable(tx.db)
      .updateTable('collections')
      .set({ name, description, language, tag_id, sensitive, discoverable, updated_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
    const renamed = name !== before.name || description !== before.description;
    tx.emit(collectionUpdated({ collectionId: id, accountId, local: true, renamed }));
  });
}
