import { accountSensitivityChanged, accountSilenceChanged } from '../../../server/accounts/lifecycle/index.ts';
import { emojisChanged } from '../../../server/emojis/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import {
  newId,
  type AccountId,
  type ConversationId,
  type PollId,
  type RowId,
  type StatusId,
} from '../../../server/platform/ids.ts';
import { pollVoted } from '../../../server/polls/index.ts';
import { quoteChanged, type QuoteId } from '../../../server/quotes/index.ts';
import { domainAllowed, domainBlocked, domainDisallowed, domainUnblocked } from '../../../server/site/index.ts';
import {
  conversationMuted,
  conversationUnmuted,
  repliesChanged,
  statusChanged,
  statusCountersChanged,
  statusFavourited,
  statusPinned,
  statusReblogged,
  statusUnfavourited,
  statusUnpinned,
  statusUnreblogged,
} from '../../../server/statuses/events.ts';
import { statusBookmarked, statusUnbookmarked } from '../../../server/statuses/react/bookmark-events.ts';
import { newStatuses } from '../../../server/statuses/read/new-statuses.ts';
import { loadCachedStatuses } from '../../../server/statuses/read/status-cache.ts';
import { loadThreadReplies } from '../../../server/statuses/read/thread-replies.ts';
import { loadViewerStates } from '../../../server/statuses/read/viewer-state.ts';
import type { TestServer, TestUser } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

const rowId = (server: TestServer): RowId => newId<'row'>(server.clock.now());

async function postStatus(user: TestUser, body: object = { status: 'Hello' }): Promise<StatusId> {
  return (await user.post('/api/v1/statuses', body)).json.id;
}

/** A case that reads the cached JSON of a status. `change` sets its content warning. */
const textCase = (event: string, emit: (ids: { statusId: StatusId; accountId: AccountId }) => DomainEvent) => ({
  cache: 'statuses.statuses',
  event,
  prepare: async (server: TestServer) => {
    const alice = await server.user('alice');
    const statusId = await postStatus(alice);
    return {
      read: async () => (await loadCachedStatuses(server.app, [statusId])).get(statusId)?.template.text,
      change: () => server.db.updateTable('statuses').set({ spoiler_text: 'New' }).where('id', '=', statusId).execute(),
      emitted: emit({ statusId, accountId: alice.id }),
    };
  },
});

const quoteOf = (statusId: StatusId, accountId: AccountId) =>
  quoteChanged({
    quoteId: '1' as QuoteId,
    statusId,
    accountId,
    quotedStatusId: null,
    quotedAccountId: null,
    from: 'new',
    to: 'pending',
    depth: 0,
  });

const newStatusCase = (
  event: string,
  emit: (ids: { statusId: StatusId; accountId: AccountId }) => DomainEvent,
): EvictionCase => ({
  cache: 'statuses.new_statuses',
  event,
  prepare: async (server) => {
    const alice = await server.user('alice');
    const statusId = await postStatus(alice);
    return {
      read: async () => newStatuses.peek(server.app, statusId)?.id,
      // It is what was stored, and has no other source.
      change: async () => {},
      emitted: emit({ statusId, accountId: alice.id }),
    };
  },
});

const newStatusCases: EvictionCase[] = [
  newStatusCase(statusChanged.event, ({ statusId }) => statusChanged({ statusId })),
  newStatusCase(statusCountersChanged.event, ({ statusId: id }) =>
    statusCountersChanged({ id, version: 1, jsonMembers: ',"favourites_count":1' }),
  ),
  newStatusCase(pollVoted.event, (ids) => pollVoted({ ...ids, pollId: '1' as PollId, choices: [0] })),
  newStatusCase(quoteChanged.event, ({ statusId, accountId }) => quoteOf(statusId, accountId)),
  newStatusCase(accountSensitivityChanged.event, ({ accountId }) => accountSensitivityChanged({ accountId })),
  newStatusCase(accountSilenceChanged.event, ({ accountId }) => accountSilenceChanged({ accountId })),
  newStatusCase(emojisChanged.event, () => emojisChanged({})),
  ...[domainBlocked, domainUnblocked, domainAllowed, domainDisallowed].map((type) =>
    newStatusCase(type.event, () => type({ domain: 'peer.test', staffId: null })),
  ),
];

const statusCases: EvictionCase[] = [
  textCase(statusChanged.event, ({ statusId }) => statusChanged({ statusId })),
  textCase(pollVoted.event, (ids) => pollVoted({ ...ids, pollId: '1' as PollId, choices: [0] })),
  textCase(quoteChanged.event, ({ statusId, accountId }) => quoteOf(statusId, accountId)),
  textCase(accountSensitivityChanged.event, ({ accountId }) => accountSensitivityChanged({ accountId })),
  textCase(accountSilenceChanged.event, ({ accountId }) => accountSilenceChanged({ accountId })),
  textCase(emojisChanged.event, () => emojisChanged({})),
  ...[domainBlocked, domainUnblocked, domainAllowed, domainDisallowed].map((type) =>
    textCase(type.event, () => type({ domain: 'peer.test', staffId: null })),
  ),
  {
    cache: 'statuses.statuses',
    event: statusCountersChanged.event,
    prepare: async (server) => {
      const id = await postStatus(await server.user('alice'));
      return {
        read: async () => (await loadCachedStatuses(server.app, [id])).get(id)?.counters.jsonMembers,
        change: () => server.db.insertInto('status_stats').values({ status_id: id, favourites_count: 1 }).execute(),
        emitted: statusCountersChanged({ id, version: 1, jsonMembers: ',"favourites_count":1' }),
      };
    },
  },
];

const replyCases: EvictionCase[] = [
  {
    cache: 'statuses.replies',
    event: repliesChanged.event,
    prepare: async (server) => {
      const alice = await server.user('alice');
      const statusId = await postStatus(alice);
      const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: statusId });
      return {
        read: () => loadThreadReplies(server.app, statusId),
        change: () => server.db.updateTable('statuses').set({ in_reply_to_id: null }).where('id', '=', reply).execute(),
        emitted: repliesChanged({ statusId }),
      };
    },
  },
];

interface Subject {
  readonly server: TestServer;
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  readonly conversationId: ConversationId;
  readonly pollId: PollId;
}

/** A case that reads the viewer state of bob. `before` runs before the first read, and `change` after it. */
const viewerCase = (
  event: string,
  emit: (subject: Subject) => DomainEvent,
  change: (subject: Subject) => Promise<unknown>,
  before?: (subject: Subject) => Promise<unknown>,
): EvictionCase => ({
  cache: 'statuses.viewer_states',
  event,
  prepare: async (server) => {
    const alice = await server.user('alice');
    const poll = { options: ['a', 'b'], expires_in: 3600 };
    const statusId = await postStatus(alice, { status: 'Which?', poll });
    const status = (await loadCachedStatuses(server.app, [statusId])).get(statusId);
    if (status?.conversationId == null || status.poll === null) throw new Error('the status has no poll');
    const { conversationId } = status;
    const bob = await server.user('bob');
    const subject = { server, accountId: bob.id, statusId, conversationId, pollId: status.poll.id };
    await before?.(subject);
    return {
      read: async () => (await loadViewerStates(server.app, bob.id, [status])).get(statusId),
      change: () => change(subject),
      emitted: emit(subject),
    };
  },
});

const addFavourite = ({ server, accountId, statusId }: Subject) =>
  server.db
    .insertInto('favourites')
    .values({ id: rowId(server), account_id: accountId, status_id: statusId, created_at: server.clock.now() })
    .execute();

const addBookmark = ({ server, accountId, statusId }: Subject) =>
  server.db
    .insertInto('bookmarks')
    .values({ id: rowId(server), account_id: accountId, status_id: statusId, created_at: server.clock.now() })
    .execute();

const addPin = ({ server, accountId, statusId }: Subject) =>
  server.db
    .insertInto('status_pins')
    .values({ id: rowId(server), account_id: accountId, status_id: statusId, created_at: server.clock.now() })
    .execute();

const addReblog = ({ server, accountId, statusId }: Subject) =>
  server.db
    .insertInto('statuses')
    .values({
      id: newId<'status'>(server.clock.now()),
      account_id: accountId,
      uri: `https://fieldfare.test/reblogs/${accountId}`,
      local: true,
      visibility: 'public',
      reblog_of_id: statusId,
      created_at: server.clock.now(),
    })
    .execute();

const addMute = ({ server, accountId, conversationId }: Subject) =>
  server.db
    .insertInto('conversation_mutes')
    .values({ account_id: accountId, conversation_id: conversationId })
    .execute();

const addVote = ({ server, accountId, pollId }: Subject) =>
  server.db
    .insertInto('poll_votes')
    .values({ id: rowId(server), poll_id: pollId, account_id: accountId, choice: 1, created_at: server.clock.now() })
    .execute();

const deleteFrom =
  (table: 'favourites' | 'bookmarks' | 'status_pins') =>
  ({ server, accountId }: Subject) =>
    server.db.deleteFrom(table).where('account_id', '=', accountId).execute();

const deleteReblog = ({ server, accountId }: Subject) =>
  server.db
    .updateTable('statuses')
    .set({ deleted_at: server.clock.now() })
    .where('account_id', '=', accountId)
    .execute();

const deleteMute = ({ server, accountId }: Subject) =>
  server.db.deleteFrom('conversation_mutes').where('account_id', '=', accountId).execute();

const favouriteOf = ({ server, accountId, statusId }: Subject) => ({
  accountId,
  statusId,
  favouriteId: rowId(server),
  statusLocal: true,
});

const reblogOf = ({ server, accountId, statusId }: Subject) => ({
  accountId,
  reblogOfId: statusId,
  statusId: newId<'status'>(server.clock.now()),
});

const pairOf = ({ accountId, statusId }: Subject) => ({ accountId, statusId });

const muteOf = ({ accountId, conversationId }: Subject) => ({ accountId, conversationId });

const viewerCases: EvictionCase[] = [
  viewerCase(statusFavourited.event, (subject) => statusFavourited(favouriteOf(subject)), addFavourite),
  viewerCase(
    statusUnfavourited.event,
    (subject) => statusUnfavourited(favouriteOf(subject)),
    deleteFrom('favourites'),
    addFavourite,
  ),
  viewerCase(
    statusReblogged.event,
    (subject) => statusReblogged({ ...reblogOf(subject), local: true, originalLocal: true }),
    addReblog,
  ),
  viewerCase(statusUnreblogged.event, (subject) => statusUnreblogged(reblogOf(subject)), deleteReblog, addReblog),
  viewerCase(statusBookmarked.event, (subject) => statusBookmarked(pairOf(subject)), addBookmark),
  viewerCase(
    statusUnbookmarked.event,
    (subject) => statusUnbookmarked(pairOf(subject)),
    deleteFrom('bookmarks'),
    addBookmark,
  ),
  viewerCase(statusPinned.event, (subject) => statusPinned(pairOf(subject)), addPin),
  viewerCase(statusUnpinned.event, (subject) => statusUnpinned(pairOf(subject)), deleteFrom('status_pins'), addPin),
  viewerCase(conversationMuted.event, (subject) => conversationMuted(muteOf(subject)), addMute),
  viewerCase(conversationUnmuted.event, (subject) => conversationUnmuted(muteOf(subject)), deleteMute, addMute),
  viewerCase(
    pollVoted.event,
    (subject) => pollVoted({ ...pairOf(subject), pollId: subject.pollId, choices: [1] }),
    addVote,
  ),
];

export const cases: EvictionCase[] = [...newStatusCases, ...statusCases, ...replyCases, ...viewerCases];
