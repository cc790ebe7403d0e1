import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import type { TagId } from '../platform/ids.ts';
import { ensureTags } from '../tags/index.ts';
import { refuse } from './read-collection.ts';

/** The hashtag of a collection, made when it is new; 422 for one that staff do not let anybody use. */
export async function requireTag(write: Write, app: App, name: string): Promise<TagId> {
  const [id] = [...(await ensureTags(write, [name], app.clock.now())).values()];
  const tag =
    id === undefined
      ? undefined
      : await write.db.selectFrom('tags').select(['id', 'usable']).where('id', '=', id).executeTakeFirst();
  if (tag?.usable !== true) {
    throw refuse([{ field: 'tag_name', error: 'ERR_UNUSABLE', description: 'is not an allowed hashtag' }]);
  }
  return tag.id;
}
