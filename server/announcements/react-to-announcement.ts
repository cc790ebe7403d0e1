import { loadLocalEmojis, normalizeEmoji, type EmojiId } from '../emojis/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound, validationFailed, invalidField } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { announcementReactionsChanged } from './events.ts';
import { publicationAt } from './publication.ts';
import { writable, type AnnouncementId } from './tables.ts';

/** Different emojis per announcement (reference/limits.tsv). */
const maxReactionNames = 8;

/**
 * Adds a reaction with a Unicode emoji, or the shortcode of a local custom emoji (ANN-02). Throws 404 if the announcement
 * is not published; 422 for an unknown emoji, a repeated reaction, or the ninth different one.
 */
export async function addReaction(app: App, accountId: AccountId, id: AnnouncementId, text: string): Promise<void> {
  const emoji = await findEmoji(app, text);
  if (emoji === undefined) throw invalidField('name', 'problems.notEmoji');
  const { name, customEmojiId } = emoji;
  await transaction(app, async (tx) => {
    await lockPublished(tx, app, id);
    if (await hasReaction(tx, accountId, id, name)) throw validationFailed('announcements.alreadyReacted');
    const names = await listNames(tx, id);
    if (!names.includes(name) && names.length >= maxReactionNames)
      throw validationFailed('announcements.tooManyReactions');
    await writable(tx.db)
      .insertInto('announcement_reaction_counts')
      .values({ announcement_id: id, name, custom_emoji_id: customEmojiId, count: 1, created_at: app.clock.now() })
      .onConflict((conflict) =>
        conflict
          .columns(['announcement_id', 'name'])
          .doUpdateSet((eb) => ({ count: eb('announcement_reaction_counts.count', '+', 1) })),
      )
      .execute();
    await writable(tx.db)
      .insertInto('announcement_reactions')
      .values({ account_id: accountId, announcement_id: id, name })
      .execute();
    tx.emit(announcementReactionsChanged({ announcementId: id, name }));
  });
}

/** Removes a reaction. Throws 404 if the announcement is not published, or the account has not reacted so. */
export async function removeReaction(app: App, accountId: AccountId, id: AnnouncementId, text: string): Promise<void> {
  const name = normalizeEmoji(text) ?? text.toWellFormed();
  await transaction(app, async (tx) => {
    await lockPublished(tx, app, id);
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('announcement_reactions')
      .where('account_id', '=', accountId)
      .where('announcement_id', '=', id)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
    await decrementCounts(tx, id, [name]);
  });
}

/** Counts one reaction less with each of these emojis. The announcement must be locked. */
export async function decrementCounts(tx: Transaction, id: AnnouncementId, names: readonly string[]): Promise<void> {
  await writable(tx.db)
    .updateTable('announcement_reaction_counts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('announcement_id', '=', id)
    .where('name', 'in', names)
    .execute();
  await writable(tx.db)
    .deleteFrom('announcement_reaction_counts')
    .where('announcement_id', '=', id)
    .where('name', 'in', names)
    .where('count', '<=', 0)
    .execute();
  for (const name of names) tx.emit(announcementReactionsChanged({ announcementId: id, name }));
}

async function findEmoji(app: App, text: string): Promise<{ name: string; customEmojiId: EmojiId | null } | undefined> {
  const name = normalizeEmoji(text);
  if (name !== undefined) return { name, customEmojiId: null };
  const custom = (await loadLocalEmojis(app)).get(text);
  return custom && { name: custom.shortcode, customEmojiId: custom.id };
}

/** Locks a published announcement, so that its counts are stable. Throws 404 for any other one. */
async function lockPublished({ db }: Transaction, app: App, id: AnnouncementId): Promise<void> {
  const row = await db
    .selectFrom('announcements')
    .selectAll()
    .where('id', '=', id)
    .where('published_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || !publicationAt(row, app.clock.now()).isPublished) throw notFound();
}

async function hasReaction(
  { db }: Transaction,
  accountId: AccountId,
  id: AnnouncementId,
  name: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('announcement_reactions')
    .select('name')
    .where('account_id', '=', accountId)
    .where('announcement_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

async function listNames({ db }: Transaction, id: AnnouncementId): Promise<string[]> {
  const rows = await db
    .selectFrom('announcement_reaction_counts')
    .select('name')
    .where('announcement_id', '=', id)
    .execute();
  return rows.map(({ name }) => name);
}
