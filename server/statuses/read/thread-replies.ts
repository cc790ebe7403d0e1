import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { compareIds, type StatusId } from '../../platform/ids.ts';
import { repliesChanged } from '../events.ts';

/** Maximum number of replies of a thread. More are not cached, and the last levels are missing. */
export const maxThreadReplies = 4096;

interface ReplyRow {
  readonly id: StatusId;
  readonly parent: StatusId;
}

/** Limits of the replies below a status. */
export interface ReplyLimits {
  readonly limit: number;
  /** Levels of replies. */
  readonly depth: number;
}

const fullLimits: ReplyLimits = { limit: maxThreadReplies, depth: maxThreadReplies };

// The outer limit ends the recursion. The result has whole levels, and as much of the last one as fits.
const replyRows = batchedQuery<ReplyRow>()<{ id: StatusId } & ReplyLimits>(
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
  // Threads can be long, so one statement loads few of them.
  { batchSize: 8 },
);

/** The ids of direct replies, oldest first. */
type Replies = readonly StatusId[];

const noReplies: Replies = [];
/** The replies to the root of a thread that is not cached. */
const tooMany: Replies = [];
/** With more statuses missing, the whole thread is loaded again. */
const maxMissing = 8;

/**
 * The direct replies to a status and to all statuses below it, without deleted ones, for whoever may see them. Who
 * changes them emits `repliesChanged`.
 */
export const replyCache = new BatchLoadingCache<StatusId, Replies>({
  name: 'statuses.replies',
  maxSize: 20_000,
  weight: { max: 50_000, of: ({ length }) => length + 1 },
  ttlMs: 60_000,
  loadMany: async (app, ids) => new Map((await Promise.all(ids.map((id) => loadThread(app, id)))).flat()),
  evictOn: [evict(repliesChanged, ({ statusId }) => [statusId])],
});

/** Returns the replies to a status and to each one below it. */
async function loadThread(app: App, id: StatusId): Promise<[StatusId, Replies][]> {
  const rows = await replyRows(app, { id, ...fullLimits });
  if (rows.length >= fullLimits.limit) return [[id, tooMany]];
  const replies = groupReplies(rows);
  return [id, ...rows.map((row) => row.id)].map((parent) => [parent, replies.get(parent) ?? noReplies]);
}

/** Returns the replies below a status within limits, depth first. Deleted ones and those below them are missing. */
export async function queryThreadReplies(app: App, id: StatusId, limits: ReplyLimits): Promise<StatusId[]> {
  const replies = groupReplies(await replyRows(app, { id, ...limits }));
  return sortDepthFirst(id, (parent) => replies.get(parent) ?? noReplies);
}

/** As `queryThreadReplies`, up to `maxThreadReplies`. Takes no statement if it is known. */
export async function loadThreadReplies(app: App, id: StatusId): Promise<StatusId[]> {
  const cached = peekThread(app, id);
  if (cached.missing.length === 0) return cached.replies ?? queryThreadReplies(app, id, fullLimits);
  const loadsAll = cached.missing.length > maxMissing;
  if (loadsAll) replyCache.evict(app, id);
  await replyCache.getMany(app, loadsAll ? [id] : cached.missing);
  const loaded = peekThread(app, id);
  return loaded.missing.length === 0 && loaded.replies !== undefined
    ? loaded.replies
    : queryThreadReplies(app, id, fullLimits);
}

/** Returns the cached replies below a status, undefined if there are too many, and the statuses whose replies are not cached. */
function peekThread(app: App, id: StatusId): { replies: StatusId[] | undefined; missing: StatusId[] } {
  const missing: StatusId[] = [];
  let isTooLarge = false;
  const replies = sortDepthFirst(id, (parent) => {
    const known = replyCache.peek(app, parent);
    if (known === undefined) missing.push(parent);
    if (known === tooMany) isTooLarge = true;
    return known ?? noReplies;
  });
  return { replies: isTooLarge || replies.length >= maxThreadReplies ? undefined : replies, missing };
}

/** Returns the direct replies by parent, oldest first. */
export function groupReplies(rows: readonly ReplyRow[]): Map<StatusId, StatusId[]> {
  const replies = new Map<StatusId, StatusId[]>();
  for (const { id, parent } of rows) {
    const siblings = replies.get(parent);
    if (siblings === undefined) replies.set(parent, [id]);
    else siblings.push(id);
  }
  for (const siblings of replies.values()) siblings.sort(compareIds);
  return replies;
}

/** Orders the replies below a status: each is followed by its own. */
export function sortDepthFirst(root: StatusId, repliesTo: (parent: StatusId) => Replies): StatusId[] {
  const order = new Set<StatusId>();
  const stack = repliesTo(root).toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (order.has(next)) continue;
    order.add(next);
    const replies = repliesTo(next);
    for (let at = replies.length - 1; at >= 0; at -= 1) stack.push(replies[at] as StatusId);
  }
  return [...order];
}
