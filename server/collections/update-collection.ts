import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, CollectionId } from '../platform/ids.ts';
import { collectionUpdated } from './events.ts';
import { lockCollection } from './find-collections.ts';
import { readCollectionText, type CollectionText } from './read-collection.ts';
import { requireTag } from './require-tag.ts';

export interface CollectionChanges extends CollectionText {
  readonly sensitive?: boolean | undefined;
  readonly discoverable?: boolean | undefined;
}

/** Changes what is given of a collection. 404 when it is not there, 403 for others than its owner, 422 for bad texts. */
export async function updateCollection(
  app: App,
  accountId: AccountId,
  id: CollectionId,
  asked: CollectionChanges,
): Promise<void> {
  await write(app, async (write) => {
    const before = await lockCollection(write, accountId, id);
    const { tagName, ...text } = readCollectionText(asked);
    const tagId = tagName == null ? tagName : await requireTag(write, app, tagName);
    const after = {
      ...before,
      ...text,
      ...(tagId !== undefined && { tag_id: tagId }),
      ...(asked.sensitive !== undefined && { sensitive: asked.sensitive }),
      ...(asked.discoverable !== undefined && { discoverable: asked.discoverable }),
    };
    const names = ['name', 'description', 'language', 'tag_id', 'sensitive', 'discoverable'] as const;
    if (names.every((name) => after[name] === before[name])) return;
    const { name, description, language, tag_id, sensitive, discoverable } = after;
    await write.db
      .updateTable('collections')
      .set({ name, description, language, tag_id, sensitive, discoverable, updated_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
    const renamed = name !== before.name || description !== before.description;
    write.emit(collectionUpdated({ collectionId: id, accountId, local: true, renamed }));
  });
}
