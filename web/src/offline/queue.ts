import type { Relationship } from '../api/entities.ts';
import type { Flag } from '../store/status-flags.ts';

/** A change that waits to be sent to the server. */
export interface QueuedAction extends Action {
  /** Position in the queue. */
  readonly order: number;
  readonly accountId: string;
  /** Why the server refused it. It and what follows wait until the person repeats or discards it. */
  readonly refusal?: string;
  /** When it was queued, as milliseconds. */
  readonly queuedAt?: number;
  /** Whether it waited for so long that the server may have published it. It waits like a refused one. */
  readonly isOutdated?: boolean;
  /** Whether a window holds it, because it can still be undone there. */
  readonly isHeld?: boolean;
}

/** The lock of a window that holds a post. It ends with the window, which may crash. */
export const heldLock = ({ idempotencyKey }: Pick<Action, 'idempotencyKey'>): string =>
  `fieldfare-held-${idempotencyKey}`;

/** A change of the signed-in account that may be sent later. Sending it twice must have the effect of sending it once. */
export interface Action {
  /** What it changes. A post is shown while it waits. */
  readonly kind: 'post' | 'status' | 'account' | 'other';
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Sent as Idempotency-Key. Necessary for a post. */
  readonly idempotencyKey?: string;
  /** The post or thread that it publishes. */
  readonly post?: QueuedPost;
  /** What people read if the server refuses it, such as the handle of an account. */
  readonly summary?: string;
  /** The id of the status that it changes, and what it changes at once. */
  readonly statusId?: string;
  readonly flags?: Readonly<Partial<Record<Flag, boolean>>>;
  /** The id of the account that it follows or unfollows, and how the viewer related to it before. */
  readonly followedId?: string;
  readonly relationship?: Relationship | undefined;
}

/** A post or thread that waits. */
export interface QueuedPost {
  readonly parts: readonly QueuedPart[];
  readonly inReplyToId?: string | undefined;
  /** What the composer needs to edit it. */
  readonly composed: object;
  /** Its draft on the server, which is deleted after it was published. */
  readonly draftId?: string | undefined;
}

/** One post of a thread, as it is shown while it waits. */
export interface QueuedPart {
  readonly key: string;
  readonly text: string;
  readonly warning: string;
  readonly images: readonly { readonly url: string; readonly description: string }[];
  readonly options: readonly string[];
}

const databaseName = 'fieldfare-offline';
const storeName = 'outbox';

/** Returns all queued actions in the order in which they are sent. */
export async function listQueue(): Promise<readonly QueuedAction[]> {
  const actions = await inStore('readonly', (store) => store.getAll() as IDBRequest<QueuedAction[]>);
  // Asked after the actions were read: a window has the lock before it appends.
  const { held = [] } = await navigator.locks.query();
  const locks = new Set(held.map(({ name }) => name));
  return actions.map((action) => (locks.has(heldLock(action)) ? { ...action, isHeld: true } : action));
}

/** Appends an action. Returns its position. */
export async function appendToQueue(action: Omit<QueuedAction, 'order'>): Promise<number> {
  return Number(await inStore('readwrite', (store) => store.add(action)));
}

/** Replaces an action: with the reason of a refusal, or without. */
export async function updateInQueue(action: QueuedAction): Promise<void> {
  await inStore('readwrite', (store) => store.put(action));
}

/** Deletes an action. */
export async function deleteFromQueue(order: number): Promise<void> {
  await inStore('readwrite', (store) => store.delete(order));
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(storeName, mode);
    const request = run(transaction.objectStore(storeName));
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the outbox was not stored')));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(storeName, { keyPath: 'order', autoIncrement: true });
  });
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the outbox cannot be opened')));
  });
}
