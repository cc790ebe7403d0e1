import { perApp, type App } from '../../platform/app.ts';
import { Batcher } from '../../platform/batching/batcher.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import { filterViewers, presentStatusToMany } from '../../statuses/many-viewers/index.ts';
import { loadCachedStatuses, type CachedStatus, type Surface } from '../../statuses/read/index.ts';
import { findHomeReceivers, findListReceivers } from '../../timelines/index.ts';
import { streamHub } from '../connections/hub.ts';
import { StreamEvent } from '../connections/stream-event.ts';
import type { Subscription } from '../connections/subscription.ts';
import { findPublicSubscriptions } from './public-topics.ts';

/** Remote posts that are older when they arrive are not streamed (reference/limits.tsv). */
const realTimeMs = 6 * 3_600_000;

/** Streams with a status: by the surface whose rules decide who sees it there. */
type Candidates = readonly (readonly [surface: Surface, subscriptions: readonly Subscription[]])[];

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
  const mentioned = status.namedIds.flatMap((accountId) => [...notifications.get(accountId)]);
  const candidates = await findCandidates(app, status);
  await deliver(app, status, 'status.update', [...candidates, ['notifications', mentioned]]);
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

async function findCandidates(app: App, status: CachedStatus): Promise<Candidates> {
  const hub = streamHub(app);
  const hasFeeds = hub.homes.keys.length > 0 || hub.lists.keys.length > 0;
  const { home, lists } = hasFeeds ? await feedSubscribers(app).add(status.id) : { home: [], lists: [] };
  return [
    ['home', home.flatMap((id) => [...hub.homes.get(id)])],
    ['lists', lists.flatMap((id) => [...hub.lists.get(id)])],
    ['public', findPublicSubscriptions(hub, status)],
  ];
}

const accountOf = ({ connection }: Subscription): AccountId => connection.user.viewer.accountId;

async function deliver(app: App, { id }: CachedStatus, name: string, candidates: Candidates): Promise<void> {
  const receivers = new Set<Subscription>();
  for (const [surface, subscriptions] of candidates) {
    if (subscriptions.length === 0) continue;
    const viewers = new Set(await filterViewers(app, [...new Set(subscriptions.map(accountOf))], id, surface));
    for (const subscription of subscriptions) if (viewers.has(accountOf(subscription))) receivers.add(subscription);
  }
  if (receivers.size === 0) return;
  const presented = await presentStatusToMany(app, [...new Set([...receivers].map(accountOf))], id);
  const events = new Map<unknown, StreamEvent>();
  await forEachInSlices(receivers, (subscription) => {
    const status = presented.get(accountOf(subscription));
    if (status === undefined) return;
    let event = events.get(status);
    if (event === undefined) events.set(status, (event = new StreamEvent(name, status.text)));
    subscription.connection.send(event, subscription.label);
  });
}
