import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evict, evictWhere, patch } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ConversationId, PollId, StatusId } from '../../platform/ids.ts';
import { pollVoted } from '../../polls/index.ts';
import type { CachedStatus } from './cached-status.ts';
import {
  conversationMuted,
  conversationUnmuted,
  statusFavourited,
  statusPinned,
  statusReblogged,
  statusUnfavourited,
  statusUnpinned,
  statusUnreblogged,
} from '../events.ts';
import { statusBookmarked, statusUnbookmarked } from '../react/bookmark-events.ts';
import { loadCachedStatuses } from './status-cache.ts';

/** What one viewer has done with one status. */
export interface ViewerState {
  readonly favourited: boolean;
  readonly reblogged: boolean;
  readonly bookmarked: boolean;
  /** The viewer muted the conversation. */
  readonly muted: boolean;
  readonly pinned: boolean;
  /** Missing for a status without a poll. */
  readonly pollVotes?: ViewerPollVotes;
}

/** The votes of a viewer in one round of a poll. An edit that resets the votes starts a new round. */
interface ViewerPollVotes {
  readonly pollId: PollId;
  readonly round: number;
  /** Indexes of options, from 0. */
  readonly choices: readonly number[];
}

export const defaultViewerState: ViewerState = {
  favourited: false,
  reblogged: false,
  bookmarked: false,
  muted: false,
  pinned: false,
};

/** A viewer and a status: their ids, separated by a space. */
type ViewerStatusKey = string;

const keyOf = (viewerId: AccountId, statusId: StatusId): ViewerStatusKey => `${viewerId} ${statusId}`;

const keyOfStatus = (event: { accountId: AccountId; statusId: StatusId }): ViewerStatusKey =>
  keyOf(event.accountId, event.statusId);

const keyOfReblogged = (event: { accountId: AccountId; reblogOfId: StatusId }): ViewerStatusKey =>
  keyOf(event.accountId, event.reblogOfId);

const isViewer = (_state: ViewerState, { accountId }: { accountId: AccountId }, key: ViewerStatusKey): boolean =>
  key.startsWith(`${accountId} `);

export const viewerStateCache = new BatchLoadingCache<ViewerStatusKey, ViewerState>({
  name: 'statuses.viewer_states',
  maxSize: 200_000,
  ttlMs: 60_000,
  loadMany: queryViewerStates,
  evictOn: [
    patch(statusFavourited, keyOfStatus, (state) => ({ ...state, favourited: true })),
    patch(statusUnfavourited, keyOfStatus, (state) => ({ ...state, favourited: false })),
    patch(statusReblogged, keyOfReblogged, (state) => ({ ...state, reblogged: true })),
    patch(statusUnreblogged, keyOfReblogged, (state) => ({ ...state, reblogged: false })),
    patch(statusBookmarked, keyOfStatus, (state) => ({ ...state, bookmarked: true })),
    patch(statusUnbookmarked, keyOfStatus, (state) => ({ ...state, bookmarked: false })),
    patch(statusPinned, keyOfStatus, (state) => ({ ...state, pinned: true })),
    patch(statusUnpinned, keyOfStatus, (state) => ({ ...state, pinned: false })),
    evict(pollVoted, (event) => [keyOfStatus(event)]),
    evictWhere(conversationMuted, isViewer),
    evictWhere(conversationUnmuted, isViewer),
  ],
});

/**
 * Returns what `viewerId` has done with these statuses, in at most one statement. A reblog has the state of its original,
 * so pass originals.
 */
export async function loadViewerStates(
  app: App,
  viewerId: AccountId,
  originals: readonly CachedStatus[],
): Promise<ReadonlyMap<StatusId, ViewerState>> {
  const keys = originals.map(({ id }) => keyOf(viewerId, id));
  const found = await viewerStateCache.getMany(app, keys);
  const states = new Map<StatusId, ViewerState>();
  for (const [at, { id }] of originals.entries()) states.set(id, found.get(keys[at] ?? '') ?? defaultViewerState);
  return states;
}

/** Caches the state of a status that its author just posted: nothing has been done with it yet. */
export function cacheDefaultState(app: App, viewerId: AccountId, statusId: StatusId): void {
  viewerStateCache.set(app, keyOf(viewerId, statusId), defaultViewerState);
}

interface ViewerStateSubjects {
  readonly viewerIds: readonly AccountId[];
  readonly statusIds: readonly StatusId[];
  readonly conversationIds: readonly (ConversationId | null)[];
  readonly pollIds: readonly (PollId | null)[];
}

interface ViewerStateRow extends Omit<ViewerState, 'pollVotes'> {
  readonly viewer_id: AccountId;
  readonly status_id: StatusId;
  readonly poll_id: PollId | null;
  readonly round: number | null;
  readonly choices: readonly number[];
}

// Each table is read by index once per status. A join of whole tables would read all that the viewer ever did.
const viewerStateRows = preparedQuery<ViewerStateRow>()((db, subjects: ViewerStateSubjects) => ({
  compile: () =>
    sql<ViewerStateRow>`
      select subject.viewer_id, subject.status_id,
        f.yes is not null as favourited,
        r.yes is not null as reblogged,
        b.yes is not null as bookmarked,
        m.yes is not null as muted,
        p.yes is not null as pinned,
        poll.id as poll_id, poll.round,
        array(select vote.choice from poll_votes vote
          where vote.poll_id = poll.id and vote.account_id = subject.viewer_id order by vote.id) as choices
      from unnest(${subjects.viewerIds}::bigint[], ${subjects.statusIds}::bigint[],
          ${subjects.conversationIds}::bigint[], ${subjects.pollIds}::bigint[])
          as subject(viewer_id, status_id, conversation_id, poll_id)
        left join lateral (select 1 as yes from favourites
          where account_id = subject.viewer_id and status_id = subject.status_id limit 1) f on true
        left join lateral (select 1 as yes from statuses
          where account_id = subject.viewer_id and reblog_of_id = subject.status_id and reblog_of_id is not null
            and deleted_at is null limit 1) r on true
        left join lateral (select 1 as yes from bookmarks
          where account_id = subject.viewer_id and status_id = subject.status_id limit 1) b on true
        left join lateral (select 1 as yes from status_pins
          where account_id = subject.viewer_id and status_id = subject.status_id limit 1) p on true
        left join lateral (select 1 as yes from conversation_mutes
          where account_id = subject.viewer_id and conversation_id = subject.conversation_id limit 1) m on true
        left join lateral (select id, round from polls where id = subject.poll_id limit 1) poll on true`.compile(db),
}));

async function queryViewerStates(
  app: App,
  keys: readonly ViewerStatusKey[],
): Promise<Map<ViewerStatusKey, ViewerState>> {
  const pairs = keys.map((key) => key.split(' ') as [AccountId, StatusId]);
  const statuses = await loadCachedStatuses(app, [...new Set(pairs.map(([, statusId]) => statusId))]);
  const rows = await viewerStateRows(app, {
    viewerIds: pairs.map(([viewerId]) => viewerId),
    statusIds: pairs.map(([, statusId]) => statusId),
    conversationIds: pairs.map(([, statusId]) => statuses.get(statusId)?.conversationId ?? null),
    pollIds: pairs.map(([, statusId]) => statuses.get(statusId)?.poll?.id ?? null),
  });
  return new Map(rows.map((row) => [keyOf(row.viewer_id, row.status_id), toViewerState(row)]));
}

function toViewerState(row: ViewerStateRow): ViewerState {
  const { favourited, reblogged, bookmarked, muted, pinned, poll_id: pollId, round, choices } = row;
  if (pollId !== null && round !== null)
    return { favourited, reblogged, bookmarked, muted, pinned, pollVotes: { pollId, round, choices } };
  const isDefault = !(favourited || reblogged || bookmarked || muted || pinned);
  return isDefault ? defaultViewerState : { favourited, reblogged, bookmarked, muted, pinned };
}
