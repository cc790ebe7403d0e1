import { perApp, type App } from '../../platform/app.ts';
import { Batcher } from '../../platform/batching/batcher.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import { dateFromId, type AccountId, type ListId, type StatusId } from '../../platform/ids.ts';
import { filterViewers, presentStatusToMany } from '../../statuses/many-viewers/index.ts';
import type { Status } from '../../statuses/index.ts';
import { loadCachedStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import { type Surface } from '../../statuses/visibility/index.ts';
import { findHomeReceivers, findListReceivers } from '../../timelines/index.ts';
import { streamHub, type StreamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import type { Subscription } from '../connections/subscription.ts';
import { findPublicSubscriptions } from './public-topics.ts';

/** Remote posts that are older when they arrive are not streamed (reference/limits.tsv). */
const realTimeMs = 6 * 3_600_000;

/** Streams that may show a status. */
interface Candidates {
  /** Its rules decide who sees the status. */
  readonly surface: Surface;
  readonly viewerIds: readonly AccountId[];
  readonly subscriptionsOf: (viewerId: AccountId) => ReadonlySet<Subscription>;
}

/** Sends a new status or reblog to the streams that show it. */
export async function deliverNewStatus(app: App, id: StatusId): Promise<void> {
  // The id of a remote status carries the time of its publication.
  const age = app.clock.now().getTime() - dateFromId(id).getTime();
  if (age > realTimeMs) return;
  const [status, candidates] = await loadWithCandidates(app, id);
  if (status !== undefined) await deliver(app, id, candidates, { name: 'update', isNew: true });
}

/**
 * Sends the current version of a status to the streams that show it, and to the notification streams of mentioned
 * accounts.
 */
export async function deliverChangedStatus(app: App, id: StatusId): Promise<void> {
  const [status, candidates] = await loadWithCandidates(app, id);
  if (status === undefined) return;
  const { notifications } = streamHub(app);
  const mentioned: Candidates = {
    surface: 'notifications',
    viewerIds: status.namedIds.filter((accountId) => notifications.has(accountId)),
    subscriptionsOf: (accountId) => notifications.get(accountId),
  };
  await deliver(app, id, [...candidates, mentioned], { name: 'status.update', isNew: false });
}

/** Loads a status while its receivers are found. */
async function loadWithCandidates(app: App, id: StatusId): Promise<[CachedStatus | undefined, readonly Candidates[]]> {
  const [statuses, feeds] = await Promise.all([loadCachedStatuses(app, [id]), findFeedSubscribers(app, id)]);
  const status = statuses.get(id);
  return [status, status === undefined ? [] : listCandidates(streamHub(app), status, feeds)];
}

interface FeedSubscribers {
  readonly home: readonly AccountId[];
  readonly lists: readonly ListId[];
}

/** Statuses of one statement. */
const maxBatchSize = 50;

/** Finds home timelines and lists with open streams, for several statuses in one statement. */
const feedSubscribers = perApp(
  (app) =>
    new Batcher<StatusId, FeedSubscribers>({
      maxBatchSize,
      isSequential: true,
      run: async (batch) => {
        const hub = streamHub(app);
        const ids = batch.map(({ item }) => item);
        const [homes, lists] = await Promise.all([
          findHomeReceivers(app, hub.homes.keys, ids),
          findListReceivers(app, hub.lists.keys, ids),
        ]);
        for (const { item, resolve } of batch) resolve({ home: homes.get(item) ?? [], lists: lists.get(item) ?? [] });
      },
    }),
);

async function findFeedSubscribers(app: App, id: StatusId): Promise<FeedSubscribers> {
  const { homes, lists } = streamHub(app);
  const hasFeeds = homes.keys.length > 0 || lists.keys.length > 0;
  return hasFeeds ? feedSubscribers(app).add(id) : { home: [], lists: [] };
}

function listCandidates(hub: StreamHub, status: CachedStatus, { home, lists }: FeedSubscribers): Candidates[] {
  return [
    { surface: 'home', viewerIds: home, subscriptionsOf: (accountId) => hub.homes.get(accountId) },
    groupByViewer(
      'lists',
      lists.flatMap((id) => [...hub.lists.get(id)]),
    ),
    groupByViewer('public', findPublicSubscriptions(hub, status)),
  ];
}

function groupByViewer(surface: Surface, subscriptions: readonly Subscription[]): Candidates {
  const groups = new Map<AccountId, Set<Subscription>>();
  for (const subscription of subscriptions) {
    const { accountId } = subscription.connection.user.viewer;
    const group = groups.get(accountId);
    if (group === undefined) groups.set(accountId, new Set([subscription]));
    else group.add(subscription);
  }
  return { surface, viewerIds: [...groups.keys()], subscriptionsOf: (accountId) => groups.get(accountId) ?? new Set() };
}

async function deliver(
  app: App,
  id: StatusId,
  candidates: readonly Candidates[],
  { name, isNew }: { readonly name: string; readonly isNew: boolean },
): Promise<void> {
  const receivers = new Map<AccountId, ReadonlySet<Subscription>>();
  for (const { surface, viewerIds, subscriptionsOf } of candidates) {
    for (const viewerId of await filterViewers(app, viewerIds, id, surface)) {
      const subscriptions = subscriptionsOf(viewerId);
      const others = receivers.get(viewerId);
      receivers.set(viewerId, others === undefined ? subscriptions : others.union(subscriptions));
    }
  }
  // Encoded once for all who see the same.
  const events = new WeakMap<JsonText<Status>, StreamEvent>();
  for await (const { viewerIds, status } of presentStatusToMany(app, [...receivers.keys()], id, { isNew })) {
    const event = events.get(status) ?? new StreamEvent(name, status.text);
    events.set(status, event);
    await forEachInSlices(viewerIds, (viewerId) => {
      for (const { connection, label } of receivers.get(viewerId) ?? []) connection.send(event, label);
    });
  }
}
