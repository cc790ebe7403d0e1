import { loadInteractionPermission, needsProof } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { message, type Message } from '../../platform/i18n/message.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';

/** A status to reply to, and how its author consents to the reply. */
export interface RepliedStatus extends CachedStatus {
  /**
   * `open`: other servers know that everyone may reply; `proven`: the reply needs a proof of consent, which the local
   * author gives automatically; `pending`: the author, or the author's server, decides.
   */
  readonly consent: 'open' | 'proven' | 'pending';
}

/**
 * Returns the status to reply to, or the original of a reblog. Throws 404 if `accountId` may not see it, 422 if its author
 * does not permit the reply.
 */
export async function requireParent(app: App, accountId: AccountId, statusId: StatusId): Promise<RepliedStatus> {
  const parent = await requireVisibleOriginal(app, accountId, statusId);
  const permission = await loadInteractionPermission(app, accountId, parent, 'reply');
  if (permission === 'denied') throw parentError(message('statuses.replyNotPermitted'));
  if (permission === 'manual') return { ...parent, consent: 'pending' };
  if (!needsProof(parent, accountId, 'reply')) return { ...parent, consent: 'open' };
  return { ...parent, consent: parent.local ? 'proven' : 'pending' };
}

/** Like `requireParent`, for threads, which cannot wait for approval. */
export async function requireOpenParent(app: App, accountId: AccountId, statusId: StatusId): Promise<RepliedStatus> {
  const parent = await requireParent(app, accountId, statusId);
  if (parent.consent === 'pending') throw parentError(message('statuses.threadNeedsApproval'));
  return parent;
}

const parentError = (description: Message) =>
  invalidFieldsError([{ field: 'in_reply_to_id', error: 'ERR_INVALID', description }]);
