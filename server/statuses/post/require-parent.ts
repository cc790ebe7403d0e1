import { loadInteractionPermission } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';

/**
 * Returns the status to reply to, or the original of a reblog. Throws 404 if `accountId` may not see it, 422 if its author
 * does not permit the reply.
 */
export async function requireParent(app: App, accountId: AccountId, statusId: StatusId): Promise<CachedStatus> {
  const parent = await requireVisibleOriginal(app, accountId, statusId);
  const permission = await loadInteractionPermission(app, accountId, parent, 'reply');
  if (permission === 'denied' || (permission === 'manual' && parent.local)) throw replyNotPermitted();
  return parent;
}

const replyNotPermitted = () =>
  invalidFieldsError([
    { field: 'in_reply_to_id', error: 'ERR_INVALID', description: message('statuses.replyNotPermitted') },
  ]);
