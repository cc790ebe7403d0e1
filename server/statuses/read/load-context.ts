import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { compareIds, type AccountId, type StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, requireVisibleOriginal } from './filter-visible-statuses.ts';

/** Limits of a thread; lower for anonymous viewers (STA-20, reference/limits.tsv). */
interface ContextLimits {
  readonly ancestors: number;
  readonly descendants: number;
  /** Levels of replies below the status. */
  readonly depth: number;
}

const userContextLimits: ContextLimits = { ancestors: 4096, descendants: 4096, depth: 4096 };
const anonymousContextLimits: ContextLimits = { ancestors: 40, descendants: 60, depth: 20 };

/** Threads can be long, so one statement loads few of them. */
const batchOptions = { batchSize: 8 };

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
  batchOptions,
);

interface ReplyRow {
  readonly id: StatusId;
  readonly parent: StatusId;
}

// The outer limit ends the recursion. The result has whole levels, and as much of the last one as fits.
const descendantRows = batchedQuery<ReplyRow>()<{ id: StatusId; limit: number; depth: number }>(
  { id: 'bigint', limit: 'int', depth: 'int' },
  ({ id, limit, depth }) => sql`
    with recursive down as (
      select id, in_reply_to_id as parent, 1 as depth from statuses
      where in_reply_to_id = ${id} and in_reply_to_id is not null and deleted_at is null
      union all
      select s.id, s.in_reply_to_id, down.depth + 1
      from down join statuses s on s.in_reply_to_id = down.id and s.in_reply_to_id is not null and s.deleted_at is null
      where down.depth < ${depth}
    )
    select id, parent from down limit ${limit}`,
  batchOptions,
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
  const limits = viewerId === undefined ? anonymousContextLimits : userContextLimits;
  const [up, down] = await Promise.all([
    inReplyToId === null ? [] : ancestorRows(app, { parentId: inReplyToId, limit: limits.ancestors }),
    descendantRows(app, { id, limit: limits.descendants, depth: limits.depth }),
  ]);
  const ancestors = up.map((row) => row.id);
  const shown = new Set(
    await filterVisibleStatuses(app, viewerId, [...ancestors, ...sortDepthFirst(id, down)], 'thread'),
  );
  const ancestorIds = new Set(ancestors);
  const descendants = [...shown].filter((shownId) => !ancestorIds.has(shownId) && shownId !== id);
  return { ancestors: ancestors.filter((ancestor) => shown.has(ancestor)), descendants };
}

/** Orders replies by time, each followed by its own replies. */
export function sortDepthFirst(root: StatusId, rows: readonly ReplyRow[]): StatusId[] {
  const children = Map.groupBy(rows, ({ parent }) => parent);
  for (const siblings of children.values()) siblings.sort((a, b) => compareIds(a.id, b.id));
  const order = new Set<StatusId>();
  const stack = (children.get(root) ?? []).toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (order.has(next.id)) continue;
    order.add(next.id);
    stack.push(...(children.get(next.id) ?? []).toReversed());
  }
  return [...order];
}
