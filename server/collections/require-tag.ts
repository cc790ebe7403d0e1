import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { TagId } from '../platform/ids.ts';
import { ensureTags } from '../tags/index.ts';
import { invalidCollection } from './parse-collection.ts';
import { message } from '../platform/i18n/message.ts';

/** Returns the hashtag of a collection, and stores a new one. Throws 422 if staff do not allow it. */
export async function requireTag(tx: Transaction, app: App, name: string): Promise<TagId> {
  const [id] = [...(await ensureTags(tx, [name], app.clock.now())).values()];
  const tag =
    id === undefined
      ? undefined
      : await tx.db.selectFrom('tags').select(['id', 'usable']).where('id', '=', id).executeTakeFirst();
  if (tag?.usable !== true) {
    throw invalidCollection([
      { field: 'tag_name', error: 'ERR_UNUSABLE', description: message('problems.notAllowedTag') },
    ]);
  }
  return tag.id;
}
