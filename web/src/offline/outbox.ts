import { computed, signal } from '@preact/signals';
import { ApiError, OfflineError, request } from '../api/client.ts';
import type { Relationship, Status } from '../api/entities.ts';
import { isStreaming } from '../api/stream.ts';
import { announcePublished } from '../composer/index.ts';
import { me } from '../session/session.ts';
import { shareChange } from '../store/other-windows.ts';
import { storeRelationship } from '../store/relationships.ts';
import { flagChange, type Flag } from '../store/status-flags.ts';
import { setPendingChanges, storeStatus } from '../store/statuses.ts';
import {
  appendToQueue,
  deleteFromQueue,
  heldLock,
  listQueue,
  updateInQueue,
  type Action,
  type QueuedAction,
} from './queue.ts';
import { outboxLock, requestOf, sendQueue } from './send-queue.ts';

export type { Action, QueuedAction, QueuedPart } from './queue.ts';

/** The actions of the signed-in account that wait to be sent, oldest first. */
export const queuedActions = signal<readonly QueuedAction[]>([]);

/** Those that only wait for the server, or for a decision about a refusal. */
export const waitingActions = computed(() => queuedActions.value.filter(({ isHeld }) => isHeld !== true));

/** The posts among all of them. */
export const queuedPosts = computed(() => queuedActions.value.filter(({ post }) => post !== undefined));

/** The follows and unfollows among them, by the id of the account. The last one of each account counts. */
export const queuedFollows = computed(
  () => new Map(queuedActions.value.flatMap((action) => (action.followedId ? [[action.followedId, action]] : []))),
);

/** The queue changed. `published`: the posts that were sent. */
interface ChannelMessage {
  readonly published: readonly Status[];
}

/** Tells the other windows what changed. */
const channel = new BroadcastChannel('fieldfare-outbox');

const retryMs = 30_000;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Sends an action, or queues it if the server cannot be reached or others wait already. Returns the response; undefined if
 * it was queued: leave what is shown as if it had succeeded. Throws ApiError if the server refuses it.
 */
export async function sendOrQueue<Result>(action: Action): Promise<Result | undefined> {
  if (waitingActions.peek().length === 0) {
    const { method, path, body, idempotencyKey, post } = action;
    try {
      return await request<Result>(method, path, {
        // The browser sends it even if the page is left. Posts may be longer than it allows.
        keepalive: post === undefined,
        ...(body !== undefined && { body }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
    }
  }
  await enqueue(action);
  return undefined;
}

/**
 * Queues an action. It is sent after those before it, once, also after a reload or by the service worker when the window is
 * closed. If the server refuses it, the queue stops and `OutboxNotice` asks what to do.
 */
export async function enqueue(action: Action): Promise<void> {
  await append(action);
  void sendQueued();
}

async function append(action: Action): Promise<QueuedAction> {
  const queued = { ...action, accountId: me.peek().id, queuedAt: Date.now() };
  const order = await appendToQueue(queued);
  await changed();
  void requestBackgroundSync();
  return { ...queued, order };
}

/** A post in the outbox that is not sent, because it can still be undone. */
export interface HeldPost {
  /** Sends it. Returns what was published; nothing if it waits for the server, or was refused. */
  send(): Promise<readonly Status[]>;
  /** Removes it from the outbox. Returns true. */
  withdraw(): Promise<true>;
}

/** The posts that this window holds or is sending. */
const heldHere = new Set<QueuedAction>();

/**
 * Queues a post, and holds it until one of the returned functions is called. If the page is left before, it is sent then. If
 * the browser crashes, the next start sends it like everything that waits: its author had posted it, and the key of the
 * request keeps it from being published twice.
 */
export async function holdPost(action: Action): Promise<HeldPost> {
  const unlock = await lock(heldLock(action));
  const held = await append(action);
  heldHere.add(held);
  return {
    async send() {
      await unlock();
      await reloadQueue();
      let published: readonly Status[] = [];
      await sendQueued(({ order }, result) => {
        if (order === held.order) published = statusesOf(result);
      });
      heldHere.delete(held);
      return published;
    },
    async withdraw() {
      heldHere.delete(held);
      // Nobody sends it before the lock ends.
      await deleteFromQueue(held.order);
      await unlock();
      await changed();
      return true;
    },
  };
}

/** Takes a lock. Returns the function that ends it. */
async function lock(name: string): Promise<() => Promise<void>> {
  const [taken, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const whole = navigator.locks.request(name, () => {
    taken.resolve();
    return ended.promise;
  });
  await taken.promise;
  return () => {
    ended.resolve();
    return whole;
  };
}

/**
 * Sends what this window holds while it is left, when there is no time for the queue. What is longer than the browser allows
 * then is sent at the next start, which also removes the others from the queue.
 */
function sendHeldNow(): void {
  for (const held of heldHere) void fetch(held.path, { ...requestOf(held), keepalive: true }).catch(() => undefined);
}

/** Loads what waits from earlier visits and sends it, now and whenever the connection returns. */
export async function startOutbox(): Promise<void> {
  channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => {
    announcePublished(data.published);
    void reloadQueue();
  });
  globalThis.addEventListener('online', () => void sendQueued());
  globalThis.addEventListener('pagehide', sendHeldNow);
  await reloadQueue();
  setPendingChanges(applyQueued);
  isStreaming.subscribe((isOpen) => {
    if (isOpen) void sendQueued();
  });
  await sendQueued();
}

/** Sends a refused or outdated action again, and those after it. */
export async function retryRefused({
  refusal: _refusal,
  isOutdated: _isOutdated,
  ...action
}: QueuedAction): Promise<void> {
  await updateInQueue({ ...action, queuedAt: Date.now() });
  await changed();
  await sendQueued();
}

/**
 * Removes an action from the queue, shows what it changed as before, and sends those after it. Returns false if it was sent
 * meanwhile.
 */
export async function discard(action: QueuedAction): Promise<boolean> {
  // While the queue is sent, nobody knows whether the server has the action already.
  const isWaiting = await navigator.locks.request(outboxLock, async () => {
    const stored = (await listQueue()).some(({ order }) => order === action.order);
    if (stored) await deleteFromQueue(action.order);
    return stored;
  });
  await changed();
  void sendQueued();
  if (!isWaiting) return false;
  if (action.relationship !== undefined) storeRelationship(action.relationship);
  if (action.statusId !== undefined) await reloadStatus(action.statusId);
  return true;
}

async function reloadStatus(id: string): Promise<void> {
  try {
    storeStatus(await request<Status>('GET', `/api/v1/statuses/${id}`));
  } catch (error) {
    // It was deleted, which is why the server refused.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** Returns a status with the changes that wait to be sent. */
function applyQueued(status: Status): Status {
  return queuedActions
    .peek()
    .filter(({ statusId }) => statusId === status.id)
    .flatMap(({ flags = {} }) => Object.entries(flags) as [Flag, boolean][])
    .reduce((changed, [flag, isSet]) => ({ ...changed, ...flagChange(changed, flag, isSet) }), status);
}

async function sendQueued(onSent: (action: QueuedAction, result: unknown) => void = () => undefined): Promise<void> {
  clearTimeout(retryTimer);
  if (waitingActions.peek().length === 0) return;
  let hasDraft = false;
  const show = (action: QueuedAction, result: unknown): void => {
    if (action.post?.draftId !== undefined) hasDraft = true;
    showResult(action, result);
    onSent(action, result);
  };
  const outcome = await navigator.locks.request(outboxLock, () => sendQueue(me.peek().id, show));
  await changed();
  if (hasDraft) shareChange('drafts', 'deleted');
  if (outcome === 'waiting') retryTimer = setTimeout(() => void sendQueued(), retryMs);
}

async function changed(): Promise<void> {
  await reloadQueue();
  announceChange();
}

function announceChange(published: readonly Status[] = []): void {
  const message: ChannelMessage = { published };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
  channel.postMessage(message);
}

async function reloadQueue(): Promise<void> {
  const { id } = me.peek();
  queuedActions.value = (await listQueue()).filter(({ accountId }) => accountId === id);
}

/** Shows what the server made of an action. */
function showResult({ kind }: QueuedAction, result: unknown): void {
  if (kind === 'post') {
    const published = statusesOf(result);
    announcePublished(published);
    announceChange(published);
  }
  if (kind === 'status') storeStatus((result as Status).reblog ?? (result as Status));
  if (kind === 'account') storeRelationship(result as Relationship);
}

const statusesOf = (result: unknown): readonly Status[] =>
  Array.isArray(result) ? (result as Status[]) : [result as Status];

/** Lets the service worker send the queue if the window is closed before the connection returns. */
async function requestBackgroundSync(): Promise<void> {
  const registration = (await navigator.serviceWorker?.getRegistration()) as
    | (ServiceWorkerRegistration & { readonly sync?: { register(tag: string): Promise<void> } })
    | undefined;
  // Rejects if the user switched background sync off. The queue is sent at the next visit then.
  await registration?.sync?.register(outboxLock).catch(() => undefined);
}
