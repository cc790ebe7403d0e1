import { loadLocalEmojis, normalizeEmoji } from '../../emojis/index.ts';
import { loadInteractionPermission } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { forbidden, invalidField } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { assertNotBlocking } from '../react/assert-not-blocking.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { resolveOriginalId } from '../read/status-cache.ts';
import { deleteReaction, insertReaction, type ReactionEmoji } from './change-reactions.ts';

/**
 * Reacts to a status, or the original of a reblog, with a Unicode emoji or the shortcode of a local custom one. Idempotent.
 * Throws 404 if the account may not see the status, 403 if it blocks the author or the author does not permit favourites,
 * 422 for an unknown emoji or beyond the limits.
 */
export async function reactWithEmoji(app: App, accountId: AccountId, id: StatusId, text: string): Promise<void> {
  const name = normalizeEmoji(text) ?? (await loadLocalEmojis(app)).get(text)?.shortcode;
  if (name === undefined) {
    await requireVisibleOriginal(app, accountId, id);
    throw invalidField('name', 'problems.notEmoji');
  }
  await storeReaction(app, { accountId, statusId: id, emoji: { name, domain: '' }, uri: null });
}

/** Undoes a reaction, even if the account may no longer see the status. Returns false if there was none. */
export async function undoReaction(app: App, accountId: AccountId, id: StatusId, text: string): Promise<boolean> {
  const name = normalizeEmoji(text) ?? text.toWellFormed();
  return deleteReaction(app, { accountId, statusId: await resolveOriginalId(app, id), name, domain: '' });
}

interface ReceivedReaction {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  readonly emoji: ReactionEmoji;
  /** ActivityPub id of a remote one. */
  readonly uri: string | null;
}

/** Like `reactWithEmoji`, for the local or remote `accountId` and a known emoji. */
export async function storeReaction(app: App, { accountId, statusId, emoji, uri }: ReceivedReaction): Promise<void> {
  const status = await requireVisibleOriginal(app, accountId, statusId);
  await assertNotBlocking(app, accountId, status.accountId);
  const permission = await loadInteractionPermission(app, accountId, status, 'favourite');
  if (permission !== 'automatic') throw forbidden('statuses.reactionNotPermitted');
  await insertReaction(app, { accountId, statusId: status.id, ...emoji, uri });
}
