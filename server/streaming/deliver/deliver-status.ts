import { perApp, type App } from '../../platform/app.ts';
import { Batcher } from '../../platform/batching/batcher.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import { filterViewers, presentStatusToMany, type PresentedGroup } from '../../statuses/many-viewers/index.ts';
import { loadCachedStatuses, type CachedStatus, type Surface } from '../../statuses/read/index.ts';
import { findHomeReceivers, findListReceivers } from '../../timelines/index.ts';
import { streamHub } from '../connections/hub.ts';
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
  const status = await loadStatus(app, id);
  if (status === undefined) return;
  const age = app.clock.now().getTime() - status.createdAt.getTime();
  if (!status.local && age > realTimeMs) return;
  await deliver(app, status, 'update', await findCandidates(app, status));
}

/** Sends the current version of a status to the streams that show it, and to the notification streams of mentioned accounts. */
export async function deliverChangedStatus(app: App, id: StatusId): Promise<void> {
  const status = await loadStatus(app, id);
  if (status === undefined) return;
  const { notifications } = streamHub(app);
  const candidates = await findCandidates(app, status);
  await deliver(app, status, 'status.update', [
    ...candidates,
    {
      surface: 'notifications',
      viewerIds: status.namedIds.filter((accountId) => notifications.has(accountId)),
      subscriptionsOf: (accountId) => notifications.get(accountId),
    },
  ]);
}

async function loadStatus(app: App, id: StatusId): Promise<CachedStatus | undefined> {
  return (await loadCachedStatuses(app, [id])).get(id);
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

async function findCandidates(app: App, status: CachedStatus): Promise<Candidates[]> {
  const hub = streamHub(app);
  const hasFeeds = hub.homes.keys.length > 0 || hub.lists.keys.length > 0;
  const { home, lists } = hasFeeds ? await feedSubscribers(app).add(status.id) : { home: [], lists: [] };
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

async function deliver(app: App, { id }: CachedStatus, name: string, candidates: readonly Candidates[]): Promise<void> {
  const receivers = new Map<AccountId, ReadonlySet<Subscription>>();
  for (const { surface, viewerIds, subscriptionsOf } of candidates) {
    for (const viewerId of await filterViewers(app, viewerIds, id, surface)) {
      const subscriptions = subscriptionsOf(viewerId);
      const others = receivers.get(viewerId);
      receivers.set(viewerId, others === undefined ? subscriptions : others.union(subscriptions));
    }
  }
  if (receivers.size === 0) return;
  const groups = await presentStatusToMany(app, [...receivers.keys()], id);
  await forEachInSlices(listEvents(name, groups), ({ event, viewerId }) => {
    for (const { connection, label } of receivers.get(viewerId) ?? []) connection.send(event, label);
  });
}

/** Each viewer with its event, which is encoded once for a group. */
function* listEvents(
  name: string,
  groups: readonly PresentedGroup[],
): Iterable<{ readonly event: StreamEvent; readonly viewerId: AccountId }> {
  for (const { viewerIds, status } of groups) {
    const event = new StreamEvent(name, status.text);
    for (const viewerId of viewerIds) yield { event, viewerId };
  }
}
