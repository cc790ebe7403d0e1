import { requestTimeoutMs } from '../api/request-timeout.ts';
import { deleteFromQueue, listQueue, updateInQueue, type QueuedAction } from './queue.ts';

/** Where queued actions are, and how one is sent. Tests replace it. */
export interface Outbox {
  list(): Promise<readonly QueuedAction[]>;
  update(action: QueuedAction): Promise<void>;
  delete(order: number): Promise<void>;
  send(action: QueuedAction): Promise<Response>;
}

/** How sending ended: nothing is left but held posts, an action was refused, or the rest waits for the server or for a sign-in. */
export type Outcome = 'empty' | 'refused' | 'waiting';

/**
 * Sends the queued actions of an account in order, one after the other. Stops at the first that the server cannot take now
 * or refuses. `onSent` receives the response of each.
 */
export async function sendQueue(
  accountId: string,
  onSent: (action: QueuedAction, result: unknown) => void,
  outbox: Outbox = browserOutbox,
): Promise<Outcome> {
  for (;;) {
    const action = (await outbox.list()).find((one) => one.accountId === accountId && one.isHeld !== true);
    if (action === undefined) return 'empty';
    if (action.refusal !== undefined || action.isOutdated === true) return 'refused';
    if (mayBePublished(action)) {
      await outbox.update({ ...action, isOutdated: true });
      return 'refused';
    }
    const response = await outbox.send(action).catch(() => undefined);
    if (response === undefined || isTemporary(response.status)) return 'waiting';
    const result = (await response.json().catch(() => undefined)) as { readonly error?: string } | undefined;
    if (!response.ok) {
      await outbox.update({ ...action, refusal: result?.error ?? `HTTP ${response.status}` });
      return 'refused';
    }
    await outbox.delete(action.order);
    onSent(action, result);
    await deleteDraft(action, outbox);
  }
}

/** The server keeps a random Idempotency-Key for a week; a day is left for the way. */
const keyLifetimeMs = 6 * 86_400_000;

/** Whether the response to a post may have been lost so long ago that sending it again would publish it twice. */
const mayBePublished = ({ kind, queuedAt }: QueuedAction): boolean =>
  kind === 'post' && queuedAt !== undefined && Date.now() - queuedAt > keyLifetimeMs;

/** Deletes the draft of a published post. One that stays by chance is listed with the drafts, where it can be deleted. */
async function deleteDraft({ order, accountId, post }: QueuedAction, outbox: Outbox): Promise<void> {
  if (post?.draftId === undefined) return;
  const path = `/api/v1/fieldfare/drafts/${post.draftId}`;
  await outbox.send({ order, accountId, kind: 'other', method: 'DELETE', path }).catch(() => undefined);
}

/** Whether the same request may succeed later: after a sign-in, with the account of the action, or when the server can. */
const isTemporary = (status: number): boolean => [401, 408, 409, 425, 429].includes(status) || status >= 500;

const browserOutbox: Outbox = {
  list: listQueue,
  update: updateInQueue,
  delete: deleteFromQueue,
  // Other windows wait for the lock meanwhile.
  send: (action) => fetch(action.path, { ...requestOf(action), signal: AbortSignal.timeout(requestTimeoutMs) }),
};

/** Returns the request that sends an action. */
export const requestOf = ({ method, body, accountId, idempotencyKey }: QueuedAction): RequestInit => ({
  method,
  credentials: 'same-origin',
  headers: {
    accept: 'application/json',
    'fieldfare-account': accountId,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

/** The lock under which a queue is sent, so that two windows or the service worker never send it at the same time. */
export const outboxLock = 'fieldfare-outbox';
