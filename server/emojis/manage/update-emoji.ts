import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffUpdate } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { addEmoji } from './change-emojis.ts';
import type { EmojiRow } from '../find-emojis.ts';
import { writable } from '../tables.ts';
import { emitEmojiChanged, emojiLabel, lockLocalEmoji, type EmojiReference } from './lock-emoji.ts';
import { parseCategory } from './parse-emoji.ts';

/** What staff change of a local emoji. Absent values stay unchanged. */
export interface EmojiChanges {
  /** Blank for none. */
  readonly category?: string | undefined;
  /** False hides it from the picker. */
  readonly visibleInPicker?: boolean | undefined;
  /** Path of a new image, which is copied. */
  readonly path?: string | undefined;
}

/**
 * Changes a local custom emoji. Throws 404 if it does not exist, 422 if it is remote, or for an invalid image or category.
 */
export async function updateEmoji(
  app: App,
  staff: Staff,
  reference: EmojiReference,
  { path, ...changes }: EmojiChanges,
): Promise<void> {
  const updated = await updateColumns(app, staff, reference, { ...changes, hasNewImage: path !== undefined });
  if (path === undefined) return;
  const { shortcode, category, visible_in_picker: visibleInPicker } = updated;
  await addEmoji(app, staff, { shortcode, path, category: category ?? '', visibleInPicker, replace: true });
}

/** Returns the changed emoji. Stores nothing if it has a new image, which is stored with these values. */
function updateColumns(
  app: App,
  staff: Staff,
  reference: EmojiReference,
  { category, visibleInPicker, hasNewImage }: Omit<EmojiChanges, 'path'> & { readonly hasNewImage: boolean },
): Promise<EmojiRow> {
  return transaction(app, async (tx) => {
    const before = await lockLocalEmoji(tx, reference);
    const values = {
      category: category === undefined ? before.category : parseCategory(category),
      visible_in_picker: visibleInPicker ?? before.visible_in_picker,
    };
    const after = { ...before, ...values };
    if (hasNewImage) return after;
    await writable(tx.db).updateTable('custom_emojis').set(values).where('id', '=', before.id).execute();
    emitEmojiChanged(tx, before);
    recordStaffUpdate(tx, staff, {
      target: 'custom_emoji',
      verb: 'update',
      id: before.id,
      label: emojiLabel(before),
      before: { category: before.category, visible_in_picker: before.visible_in_picker },
      after: values,
    });
    return after;
  });
}
