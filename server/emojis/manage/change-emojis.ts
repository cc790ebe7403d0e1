import { processEmoji } from '../../media/upload/index.ts';
import { deleteStoredFiles } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { conflict } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction, recordStaffUpdate } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import type { EmojiRow } from '../find-emojis.ts';
import { emitEmojiChanged, emojiLabel, lockEmoji, lockLocalEmoji, type EmojiReference } from './lock-emoji.ts';
import { assertShortcode, parseCategory } from './parse-emoji.ts';
import { writable, type EmojiId } from '../tables.ts';

/** A custom emoji to add. */
export interface NewEmoji {
  readonly shortcode: string;
  /** Path of a PNG, GIF or WebP file of at most 256 KiB. It is copied. */
  readonly path: string;
  /** Blank for none. */
  readonly category?: string | undefined;
  /** False hides it from the picker. */
  readonly visibleInPicker?: boolean | undefined;
  /** Replaces an existing emoji with this shortcode. */
  readonly replace?: boolean | undefined;
}

/**
 * Adds a local custom emoji and returns its id. Throws 422 for an invalid shortcode, category or image, 409 if it exists
 * and `replace` is not set.
 */
export async function addEmoji(app: App, staff: Staff, emoji: NewEmoji): Promise<EmojiId> {
  const { shortcode, visibleInPicker = true } = emoji;
  assertShortcode(shortcode);
  const category = emoji.category === undefined ? undefined : parseCategory(emoji.category);
  if (emoji.replace !== true) await assertShortcodeFree(app, shortcode);
  const { key, staticKey } = await processEmoji(app, emoji.path);
  const now = app.clock.now();
  const picture = { image_key: key, static_key: staticKey, updated_at: now };
  try {
    const { id, before } = await transaction(app, async (tx) => {
      const { db } = tx;
      const known = await db
        .selectFrom('custom_emojis')
        .selectAll()
        .where('shortcode', '=', shortcode)
        .where('domain', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (known !== undefined && emoji.replace !== true) throw shortcodeTakenError(shortcode);
      const shown = {
        category: category === undefined ? (known?.category ?? null) : category,
        visible_in_picker: visibleInPicker,
      };
      const { id } = await writable(db)
        .insertInto('custom_emojis')
        .values({ id: newId<'emoji'>(now), shortcode, domain: null, created_at: now, ...picture, ...shown })
        .onConflict((other) => other.columns(['domain', 'shortcode']).doUpdateSet({ ...picture, ...shown }))
        .returning('id')
        .executeTakeFirstOrThrow();
      emitEmojiChanged(tx, { domain: null, shortcode });
      recordStaffAction(tx, staff, {
        target: 'custom_emoji',
        verb: known === undefined ? 'create' : 'replace',
        id,
        label: `:${shortcode}:`,
        before: known && emojiDetails(known),
        after: shown,
      });
      return { id, before: known };
    });
    await deleteStoredFiles(app, [before?.image_key, before?.static_key]);
    return id;
  } catch (error) {
    await deleteStoredFiles(app, [key, staticKey]);
    throw error;
  }
}

const shortcodeTakenError = (shortcode: string) => conflict('emojis.exists', { shortcode });

/** Throws 409 if there is a local emoji with this shortcode. */
export async function assertShortcodeFree(tx: Pick<App, 'db'> | Transaction, shortcode: string): Promise<void> {
  const known = await tx.db
    .selectFrom('custom_emojis')
    .select('id')
    .where('shortcode', '=', shortcode)
    .where('domain', 'is', null)
    .executeTakeFirst();
  if (known !== undefined) throw shortcodeTakenError(shortcode);
}

/** Deletes a local custom emoji and its images. Throws 404 if it does not exist, 422 if it is remote. */
export async function deleteEmoji(app: App, staff: Staff, reference: EmojiReference): Promise<void> {
  const row = await transaction(app, async (tx) => {
    const before = await lockLocalEmoji(tx, reference);
    await writable(tx.db).deleteFrom('custom_emojis').where('id', '=', before.id).execute();
    emitEmojiChanged(tx, before);
    recordStaffAction(tx, staff, {
      target: 'custom_emoji',
      verb: 'delete',
      id: before.id,
      label: emojiLabel(before),
      before: emojiDetails(before),
    });
    return before;
  });
  await deleteStoredFiles(app, [row.image_key, row.static_key]);
}

/** Disables a custom emoji, so that texts show its shortcode, or enables it. Throws 404 if it does not exist. */
export async function setEmojiDisabled(
  app: App,
  staff: Staff,
  { disabled, ...reference }: EmojiReference & { readonly disabled: boolean },
): Promise<void> {
  await transaction(app, async (tx) => {
    const before = await lockEmoji(tx, reference);
    await writable(tx.db).updateTable('custom_emojis').set({ disabled }).where('id', '=', before.id).execute();
    emitEmojiChanged(tx, before);
    recordStaffUpdate(tx, staff, {
      target: 'custom_emoji',
      verb: disabled ? 'disable' : 'enable',
      id: before.id,
      label: emojiLabel(before),
      before: { disabled: before.disabled },
      after: { disabled },
    });
  });
}

const emojiDetails = ({ category, visible_in_picker }: EmojiRow) => ({ category, visible_in_picker });
