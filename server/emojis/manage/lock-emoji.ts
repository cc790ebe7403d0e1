import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { emojisChanged, remoteEmojiChanged } from '../events.ts';
import type { EmojiRow } from '../find-emojis.ts';
import type { EmojiId } from '../tables.ts';

/** A local emoji by its shortcode, or any emoji by its id. */
export type EmojiReference = { readonly shortcode: string } | { readonly id: EmojiId };

/** Locks and returns an emoji. Throws 404 if it does not exist. */
export async function lockEmoji({ db }: Transaction, reference: EmojiReference): Promise<EmojiRow> {
  const emojis = db.selectFrom('custom_emojis').selectAll().forUpdate();
  if ('id' in reference) {
    return emojis.where('id', '=', reference.id).executeTakeFirstOrThrow(() => notFound());
  }
  const { shortcode } = reference;
  return emojis
    .where('shortcode', '=', shortcode)
    .where('domain', 'is', null)
    .executeTakeFirstOrThrow(() => notFound('emojis.unknown', { shortcode }));
}

/** Locks and returns a local emoji. Throws 404 if it does not exist, 422 if it is remote. */
export async function lockLocalEmoji(tx: Transaction, reference: EmojiReference): Promise<EmojiRow> {
  const row = await lockEmoji(tx, reference);
  if (row.domain !== null) throw validationFailed('emojis.notLocal');
  return row;
}

/** Evicts an emoji that staff changed, and the texts that show it. */
export function emitEmojiChanged(
  { emit }: Transaction,
  { domain, shortcode }: Pick<EmojiRow, 'domain' | 'shortcode'>,
): void {
  if (domain !== null) emit(remoteEmojiChanged({ domain, shortcode }));
  emit(emojisChanged({}));
}

/** Returns the emoji as the audit log names it. */
export const emojiLabel = ({ shortcode, domain }: Pick<EmojiRow, 'shortcode' | 'domain'>): string =>
  domain === null ? `:${shortcode}:` : `:${shortcode}:@${domain}`;
