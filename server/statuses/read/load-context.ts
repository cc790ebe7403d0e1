import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, requireVisibleOriginal } from './filter-visible-statuses.ts';
import { loadThreadReplies, queryThreadReplies } from './thread-replies.ts';

// Limits of a thread; lower for anonymous viewers (STA-20, reference/limits.tsv).
const maxAncestors = 4096;
const anonymousLimits = { ancestors: 40, replies: { limit: 60, depth: 20 } };

const ancestorRows = batchedQuery<{ id: StatusId }>()<{ parentId: StatusId; limit: number }>(
  { parentId: 'bigint', limit: 'int' },
  ({ parentId, limit }) => sql`
    with recursive up as (
      select id, in_reply_to_id, 1 as height from statuses where id = ${parentId}
      union all
      select s.id, s.in_reply_to_id, up.height + 1 from up join statuses s on s.id = up.in_reply_to_id
      where up.height < ${limit}
    )
    select id from up order by height desc`,
  // Threads can be long, so one statement loads few of them.
  { batchSize: 8 },
);

/** The thread around a status: its ancestors, oldest first, and its descendants, depth first. */
export interface StatusContext {
  readonly ancestors: StatusId[];
  readonly descendants: StatusId[];
}

/**
 * Returns the part of a thread that `viewerId` (undefined: anonymous) may see. Throws 404 if it may not see the status.
 */
export async function loadContext(
  app: App,
  viewerId: AccountId | undefined,
  statusId: StatusId,
): Promise<StatusContext> {
  const { id, inReplyToId } = await requireVisibleOriginal(app, viewerId, statusId);
  const isAnonymous = viewerId === undefined;
  const limit = isAnonymous ? anonymousLimits.ancestors : maxAncestors;
  const [up, down] = await Promise.all([
    inReplyToId === null ? [] : ancestorRows(app, { parentId: inReplyToId, limit }),
    isAnonymous ? queryThreadReplies(app, id, anonymousLimits.replies) : loadThreadReplies(app, id),
  ]);
  const ancestors = up.map((row) => row.id);
  const shown = new Set(await filterVisibleStatuses(app, viewerId, [...ancestors, ...down], 'thread'));
  const ancestorIds = new Set(ancestors);
  const descendants = [...shown].filter((shownId) => !ancestorIds.has(shownId) && shownId !== id);
  return { ancestors: ancestors.filter((ancestor) => shown.has(ancestor)), descendants };
}
