import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { discard, type QueuedAction } from '../offline/index.ts';
import type { Composed } from './composed.ts';
import { deleteLocalCopy, storeLocalCopy } from './local-copies.ts';
import { openComposer } from './open-composer.tsx';
import { slotOf } from './start-composing.ts';

/** Moves a post from the outbox to the composer, which opens. Returns false if it was sent meanwhile. */
export async function composeQueued(action: QueuedAction): Promise<boolean> {
  const { post, idempotencyKey } = action;
  if (post === undefined || idempotencyKey === undefined) throw new Error('the action publishes no post');
  return reopen(idempotencyKey, post.composed as Composed, () => discard(action));
}

/**
 * Opens the composer with a post that was to be sent, after `withdraw` removed it from the outbox. No-op if that returns
 * false. `key`: of its request.
 */
export async function reopen(key: string, composed: Composed, withdraw: () => Promise<boolean>): Promise<boolean> {
  const start = { redraft: key };
  const slot = slotOf(start);
  // Stored first, so that the text is in one place at least.
  storeLocalCopy(slot, composed);
  const isWithdrawn = await withdraw();
  if (!isWithdrawn) deleteLocalCopy(slot);
  else if (!openComposer(start, t('nav.publish'))) openPath(`/publish?redraft=${key}`);
  return isWithdrawn;
}
