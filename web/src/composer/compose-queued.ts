import { discard, type QueuedAction } from '../offline/index.ts';
import type { Composed } from './composed.ts';
import { deleteLocalCopy, storeLocalCopy } from './local-copies.ts';
import { slotOf } from './start-composing.ts';

/** Moves a post from the outbox to the composer. Returns the path that opens it; undefined if it was sent meanwhile. */
export async function composeQueued(action: QueuedAction): Promise<string | undefined> {
  const { post, idempotencyKey } = action;
  if (post === undefined || idempotencyKey === undefined) throw new Error('the action publishes no post');
  const slot = slotOf({ redraft: idempotencyKey });
  // Stored first, so that the text is in one place at least.
  storeLocalCopy(slot, post.composed as Composed);
  if (await discard(action)) return `/publish?redraft=${idempotencyKey}`;
  deleteLocalCopy(slot);
  return undefined;
}
