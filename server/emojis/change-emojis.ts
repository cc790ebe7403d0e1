import { processEmoji } from '../media/upload/index.ts';
import { deleteStoredFiles } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { conflict, validationFailed, notFound } from '../platform/http/http-errors.ts';
import { newId } from '../platform/ids.ts';
import { recordStaffAction, recordStaffUpdate } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { localEmojisChanged } from './events.ts';
import type { EmojiRow } from './find-emojis.ts';
import { isShortcode } from './shortcodes.ts';

/** A custom emoji to add. */
export interface NewEmoji {
  readonly shortcode: string;
  /** Path of a PNG, GIF or WebP file of at most 256 KiB. It is copied. */
  readonly path: string;
  readonly category?: string | undefined;
  /** False hides it from the picker. */
  readonly visibleInPicker?: boolean | undefined;
  /** Replaces an existing emoji with this shortcode. */
  readonly replace?: boolean | undefined;
}

/** reference/limits.tsv: shortcode length. */
const maxShortcodeLength = 128;

/** Adds a local custom emoji. Throws 422 for an invalid shortcode or image, 409 if it exists and `replace` is not set. */
export async function addEmoji(app: App, staff: Staff, emoji: NewEmoji): Promise<void> {
  const { shortcode, category, visibleInPicker = true } = emoji;
  if (!isShortcode(shortcode) || shortcode.length > maxShortcodeLength) {
    throw validationFailed('emojis.invalidShortcode');
  }
  if (emoji.replace !== true && (await findLocalEmoji(app, shortcode)) !== undefined)
    throw shortcodeTakenError(shortcode);
  const { key, staticKey } = await processEmoji(app, emoji.path);
  const now = app.clock.now();
  const picture = { image_key: key, static_key: staticKey, updated_at: now };
  try {
    const before = await transaction(app, async (tx) => {
      const { db } = tx;
      const known = await db
        .selectFrom('custom_emojis')
        .selectAll()
        .where('shortcode', '=', shortcode)
        .where('domain', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (known !== undefined && emoji.replace !== true) throw shortcodeTakenError(shortcode);
      const shown = { category: category ?? known?.category ?? null, visible_in_picker: visibleInPicker };
      const { id } = await db
        .insertInto('custom_emojis')
        .values({ id: newId<'emoji'>(now), shortcode, domain: null, created_at: now, ...picture, ...shown })
        .onConflict((other) => other.columns(['domain', 'shortcode']).doUpdateSet({ ...picture, ...shown }))
        .returning('id')
        .executeTakeFirstOrThrow();
      tx.emit(localEmojisChanged({}));
      recordStaffAction(tx, staff, {
        target: 'custom_emoji',
        verb: known === undefined ? 'create' : 'replace',
        id,
        label: `:${shortcode}:`,
        before: known && emojiDetails(known),
        after: shown,
      });
      return known;
    });
    await deleteStoredFiles(app, [before?.image_key, before?.static_key]);
  } catch (error) {
    await deleteStoredFiles(app, [key, staticKey]);
    throw error;
  }
}

const shortcodeTakenError = (shortcode: string) => conflict('emojis.exists', { shortcode });

/** Deletes a local custom emoji and its images. Throws 404 if it does not exist. */
export async function deleteEmoji(app: App, staff: Staff, shortcode: string): Promise<void> {
  const row = await transaction(app, async (tx) => {
    const before = await lockEmoji(tx, shortcode);
    await tx.db.deleteFrom('custom_emojis').where('id', '=', before.id).execute();
    tx.emit(localEmojisChanged({}));
    recordStaffAction(tx, staff, {
      target: 'custom_emoji',
      verb: 'delete',
      id: before.id,
      label: `:${shortcode}:`,
      before: emojiDetails(before),
    });
    return before;
  });
  await deleteStoredFiles(app, [row.image_key, row.static_key]);
}

/** Disables a local custom emoji, so that texts show its shortcode, or enables it. Throws 404 if it does not exist. */
export async function setEmojiDisabled(
  app: App,
  staff: Staff,
  { shortcode, disabled }: { readonly shortcode: string; readonly disabled: boolean },
): Promise<void> {
  await transaction(app, async (tx) => {
    const before = await lockEmoji(tx, shortcode);
    await tx.db.updateTable('custom_emojis').set({ disabled }).where('id', '=', before.id).execute();
    tx.emit(localEmojisChanged({}));
    recordStaffUpdate(tx, staff, {
      target: 'custom_emoji',
      verb: disabled ? 'disable' : 'enable',
      id: before.id,
      label: `:${shortcode}:`,
      before: { disabled: before.disabled },
      after: { disabled },
    });
  });
}

const emojiDetails = ({ category, visible_in_picker }: EmojiRow) => ({ category, visible_in_picker });

/** Locks and returns a local emoji. Throws 404 if it does not exist. */
async function lockEmoji({ db }: Transaction, shortcode: string): Promise<EmojiRow> {
  const row = await db
    .selectFrom('custom_emojis')
    .selectAll()
    .where('shortcode', '=', shortcode)
    .where('domain', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound('emojis.unknown', { shortcode });
  return row;
}

/** Lists all local emojis, also disabled ones, by shortcode. */
export function listAllEmojis(app: App): Promise<EmojiRow[]> {
  return app.db.selectFrom('custom_emojis').selectAll().where('domain', 'is', null).orderBy('shortcode').execute();
}

function findLocalEmoji(app: App, shortcode: string): Promise<EmojiRow | undefined> {
  return app.db
    .selectFrom('custom_emojis')
    .selectAll()
    .where('shortcode', '=', shortcode)
    .where('domain', 'is', null)
    .executeTakeFirst();
}
