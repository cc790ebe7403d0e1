import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { defineCache, evict, patch } from '../platform/caching/define-cache.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { AccountId, ConversationId, StatusId } from '../platform/ids.ts';
import { loadVotes } from '../polls/index.ts';
import { viewerStateChanged, viewerStatesChanged } from './events.ts';
import type { CachedStatus } from './status-cache.ts';

/** What one viewer has done with one status. */
export interface ViewerState {
  readonly favourited: boolean;
  readonly reblogged: boolean;
  readonly bookmarked: boolean;
  /** It muted the conversation. */
  readonly muted: boolean;
  readonly pinned: boolean;
  /** What it chose in the poll; known where there is one. */
  readonly pollVotes?: ViewerPollVotes;
}

/** Places of options, from 0. They hold while the poll is in this round: an edit may throw all votes away. */
interface ViewerPollVotes {
  readonly round: number;
  readonly choices: readonly number[];
}

type ViewerStateRow = Omit<ViewerState, 'pollVotes'>;

interface ViewerStateKey {
  readonly viewerId: AccountId;
  readonly statusId: StatusId;
  readonly conversationId: ConversationId | null;
}

// Each table is read by index once a status: a join of whole tables would read all that the viewer ever did.
const viewerStateRows = batchedQuery<ViewerStateRow>()<ViewerStateKey>(
  { viewerId: 'bigint', statusId: 'bigint', conversationId: 'bigint' },
  ({ viewerId, statusId, conversationId }) => sql<ViewerStateRow>`
    select f.yes is not null as favourited,
      r.yes is not null as reblogged,
      b.yes is not null as bookmarked,
      m.yes is not null as muted,
      p.yes is not null as pinned
    from (select 1) one
      left join lateral (select 1 as yes from favourites
        where account_id = ${viewerId} and status_id = ${statusId} limit 1) f on true
      left join lateral (select 1 as yes from statuses
        where account_id = ${viewerId} and reblog_of_id = ${statusId} and reblog_of_id is not null
          and deleted_at is null limit 1) r on true
      left join lateral (select 1 as yes from bookmarks
        where account_id = ${viewerId} and status_id = ${statusId} limit 1) b on true
      left join lateral (select 1 as yes from status_pins
        where account_id = ${viewerId} and status_id = ${statusId} limit 1) p on true
      left join lateral (select 1 as yes from conversation_mutes
        where account_id = ${viewerId} and conversation_id = ${conversationId} limit 1) m on true`,
  { batchSize: 5_000 },
);

/** What viewers have done lately: people read more than they react. */
interface CachedViewerStates {
  readonly states: Map<StatusId, ViewerState>;
  /** For each load under way, the statuses that the viewer did something with meanwhile: what it brings is not kept. */
  readonly pendingLoads: Set<Set<StatusId>>;
}

const maxStatuses = 1_000;

/** A viewer's entry is patched in place, so that loads in progress see the change too. */
const viewerCache = defineCache<AccountId, CachedViewerStates>({
  name: 'statuses.viewer_states',
  maxSize: 5_000,
  ttlMs: 60_000,
  evictOn: [
    evict(viewerStatesChanged, ({ viewerId }) => [viewerId]),
    patch(
      viewerStateChanged,
      ({ viewerId }) => viewerId,
      (known, { statusId, favourited, bookmarked }) => {
        for (const changed of known.pendingLoads) changed.add(statusId);
        const overlay = known.states.get(statusId);
        if (overlay !== undefined) {
          known.states.set(statusId, {
            ...overlay,
            ...(favourited !== undefined && { favourited }),
            ...(bookmarked !== undefined && { bookmarked }),
          });
        }
        return known;
      },
    ),
  ],
});

/**
 * What `viewerId` has done with these statuses (originals: a reblog has what its original has), in at most one statement
 * for any number of them, and one more where there are polls.
 */
export async function loadViewerStates(
  app: App,
  viewerId: AccountId,
  originals: Iterable<CachedStatus>,
): Promise<ReadonlyMap<StatusId, ViewerState>> {
  const cached = findOrCreateCacheEntry(app, viewerId);
  const missing: CachedStatus[] = [];
  const found = new Map<StatusId, ViewerState>();
  for (const body of originals) {
    const overlay = cached.states.get(body.id);
    if (overlay === undefined || overlay.pollVotes?.round !== body.poll?.round) missing.push(body);
    else found.set(body.id, overlay);
  }
  if (missing.length === 0) return found;
  const changed = new Set<StatusId>();
  cached.pendingLoads.add(changed);
  try {
    // A drop that overtakes the query puts `known` out of use: then nobody else sees what is kept here.
    for (const [id, overlay] of await queryViewerStates(app, viewerId, missing)) {
      found.set(id, overlay);
      if (!changed.has(id)) cached.states.set(id, overlay);
    }
  } finally {
    cached.pendingLoads.delete(changed);
  }
  return found;
}

async function queryViewerStates(
  app: App,
  viewerId: AccountId,
  bodies: readonly CachedStatus[],
): Promise<[StatusId, ViewerState][]> {
  const polls = bodies.flatMap(({ poll }) => poll ?? []);
  const [states, votes] = await Promise.all([
    Promise.all(
      bodies.map(({ id, conversationId }) => viewerStateRows(app, { viewerId, statusId: id, conversationId })),
    ),
    loadVotes(
      app,
      viewerId,
      polls.map(({ id }) => id),
    ),
  ]);
  return bodies.map(({ id, poll }, index): [StatusId, ViewerState] => {
    const state = states[index]?.[0] ?? defaultViewerState;
    return [
      id,
      poll === null ? state : { ...state, pollVotes: { round: poll.round, choices: votes.get(poll.id) ?? [] } },
    ];
  });
}

const defaultViewerState = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false };

/** Caches that nobody did anything yet with a status that was just posted and starts a conversation. */
export function cacheUntouched(app: App, viewerId: AccountId, statusId: StatusId): void {
  findOrCreateCacheEntry(app, viewerId).states.set(statusId, defaultViewerState);
}

function findOrCreateCacheEntry(app: App, viewerId: AccountId): CachedViewerStates {
  const cached = viewerCache.peek(app, viewerId);
  if (cached !== undefined && cached.states.size < maxStatuses) return cached;
  const fresh: CachedViewerStates = { states: new Map(), pendingLoads: new Set() };
  viewerCache.set(app, viewerId, fresh);
  return fresh;
}
