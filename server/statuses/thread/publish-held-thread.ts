import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { claimHeldThread } from '../held/decide-held-post.ts';
import type { StatusParams } from '../post/status-params.ts';
import { insertPreparedStatuses } from '../post/insert-prepared-statuses.ts';
import { composeThread } from './compose-thread.ts';
import { validateThread } from './validate-thread.ts';

/** A post of a held thread, with the parameters with which it is published. */
export interface HeldPart {
  readonly id: StatusId;
  readonly params: StatusParams;
}

/**
 * Publishes the posts of a held thread that their author did not withdraw, as if they were posted now, and returns the id
 * of the first one. They are not compared with moderation rules again. Throws 409 if one was decided or withdrawn
 * meanwhile, and the errors of `publishThread`.
 */
export async function publishHeldThread(
  app: App,
  accountId: AccountId,
  parts: readonly [HeldPart, ...HeldPart[]],
  onPublish: (tx: Transaction, statusId: StatusId) => Promise<void>,
): Promise<StatusId> {
  const posts = parts.map(({ params: { inReplyToId: _parent, ...post } }) => post);
  const { inReplyToId } = parts[0].params;
  const composed = await composeThread(app, accountId, await validateThread(app, accountId, { posts, inReplyToId }));
  const published = parts.flatMap(({ id }, index) => {
    const status = composed[index]?.status;
    return status === undefined ? [] : [{ heldId: id, statusId: status.id }];
  });
  return transaction(app, async (tx) => {
    await claimHeldThread(tx, app, accountId, published);
    const [first] = published;
    if (first === undefined) throw new Error('a held thread has no posts');
    await onPublish(tx, first.statusId);
    await insertPreparedStatuses(
      tx,
      app,
      composed.map((post, index) => ({ ...post, post: { held: { id: parts[index]?.id ?? first.heldId, onPublish } } })),
    );
    return first.statusId;
  });
}
