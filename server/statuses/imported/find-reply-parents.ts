import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses } from '../read/filter-visible-statuses.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

/**
 * Returns those of these statuses that an imported status of the account may answer: public and unlisted ones that it may
 * see, whose authors restrict nobody, and its own.
 */
export async function findReplyParents(
  app: App,
  accountId: AccountId,
  ids: readonly StatusId[],
): Promise<ReadonlyMap<StatusId, CachedStatus>> {
  const [statuses, visible] = await Promise.all([
    loadCachedStatuses(app, ids),
    filterVisibleStatuses(app, accountId, ids, 'thread'),
  ]);
  const parents = visible.flatMap((id) => statuses.get(id) ?? []).filter((parent) => mayBeAnswered(accountId, parent));
  return new Map(parents.map((parent) => [parent.id, parent]));
}

const mayBeAnswered = (
  accountId: AccountId,
  { accountId: authorId, visibility, interactionPolicy, reblogOfId }: CachedStatus,
): boolean =>
  reblogOfId === null && (authorId === accountId || (isPublicOrUnlisted(visibility) && interactionPolicy === null));
