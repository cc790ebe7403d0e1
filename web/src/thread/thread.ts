import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { CacheSnapshot } from 'virtua';
import { request, requestWithRefresh } from '../api/client.ts';
import type { Context, Notification, Status } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { me } from '../session/session.ts';
import { statusOf, storeStatus, storeStatuses } from '../store/statuses.ts';
import { arrangeReplies, rowsAbove, type ArrangedReply } from './arrange-replies.ts';
import { unfold } from './folded.ts';
import { ownThreadOf } from './own-thread.ts';
import { followRefresh } from '../api/async-refreshes.ts';
import { findVisit, saveVisit, unknownIn } from './visits.ts';

/** Where the reader was on the page of a thread. */
interface ThreadPosition {
  /** The distance of the post from the top of the window, in pixels. */
  readonly top: number;
  /** The heights of its replies. */
  readonly heights: CacheSnapshot | undefined;
}

/** A post with what it answers and its replies. */
export class Thread {
  readonly id: string;
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly ancestors = signal<readonly string[]>([]);
  readonly descendants = signal<readonly string[]>([]);
  /** Replies that were found meanwhile on other servers, and wait until the reader wants to see them. */
  readonly waiting = signal<readonly string[]>([]);
  /** Whether the server still looks for replies. */
  readonly isRefreshing = signal(false);
  /** Replies that came since the last visit. */
  readonly newIds = signal<readonly string[]>([]);
  /** The reply to which the reader wants to go. */
  readonly target = signal<{ readonly id: string } | undefined>(undefined);
  readonly rows: ReadonlySignal<readonly ArrangedReply[]>;
  /** The posts by which the author of the post continued it, or which it continues. */
  readonly ownThread: ReadonlySignal<readonly string[]>;
  /** The last `target` that has the focus. */
  reachedTarget: { readonly id: string } | undefined;
  position: ThreadPosition | undefined;
  error: unknown;
  #stopRefresh: (() => void) | undefined;
  #isClosed = false;

  constructor(id: string) {
    this.id = id;
    this.rows = computed(() => {
      const root = statusOf(id).value;
      return root === undefined ? [] : arrangeReplies(root, this.#statuses(this.descendants.value));
    });
    this.ownThread = computed(() =>
      ownThreadOf(this.#statuses([...this.ancestors.value, id, ...this.descendants.value]), id),
    );
  }

  /** Loads the thread. If it was shown before, that stays, and new replies are offered. */
  async open(): Promise<void> {
    if (this.state.peek() !== 'ready') return this.load();
    const [status] = await Promise.all([this.#requestPost().catch(() => undefined), this.#collectMissed()]);
    if (status !== undefined) storeStatus(status);
  }

  async load(): Promise<void> {
    this.state.value = 'loading';
    try {
      const [status, context] = await Promise.all([this.#requestPost(), this.#loadContext()]);
      storeStatus(status);
      this.ancestors.value = idsOf(context.ancestors);
      this.descendants.value = idsOf(context.descendants);
      this.#mark(unknownIn(findVisit(this.#root()), this.id, this.descendants.peek()));
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    }
  }

  /** Shows the replies that wait. */
  showWaiting(): void {
    const found = this.waiting.peek();
    this.descendants.value = [...this.descendants.peek(), ...found];
    this.waiting.value = [];
    this.#mark(found);
  }

  /** Goes to a reply, which is unfolded if necessary. */
  goTo(id: string): void {
    unfold(rowsAbove(this.rows.peek(), id).map((row) => row.id));
    this.target.value = { id };
  }

  /** Adds replies as they are posted, until the returned function is called. */
  follow(): () => void {
    this.#isClosed = false;
    const unsubscribe = subscribe(
      { stream: 'user' },
      {
        onEvent: ({ event, payload = '' }) => {
          if (event === 'update') this.add(JSON.parse(payload) as Status);
          if (event === 'notification') this.add((JSON.parse(payload) as Notification).status ?? undefined);
        },
        onOpen: () => void this.#collectMissed(),
      },
    );
    return () => {
      this.#isClosed = true;
      this.#stopRefresh?.();
      unsubscribe();
    };
  }

  /** Adds a post if it replies to one of the thread. */
  add(status: Status | undefined): void {
    const parent = status?.in_reply_to_id;
    if (status === undefined || parent === undefined || parent === null) return;
    const known = [this.id, ...this.descendants.peek()];
    if (!known.includes(parent) || known.includes(status.id)) return;
    storeStatus(status);
    this.descendants.value = [...this.descendants.peek(), status.id];
    this.waiting.value = this.waiting.peek().filter((id) => id !== status.id);
    this.#mark([status.id]);
  }

  /** Marks replies of others as new, and remembers all that are shown. */
  #mark(ids: readonly string[]): void {
    const mine = me.peek().id;
    const others = ids.filter((id) => statusOf(id).peek()?.account.id !== mine);
    if (others.length > 0) this.newIds.value = [...this.newIds.peek(), ...others];
    saveVisit({ root: this.#root(), pages: [this.id], ids: this.descendants.peek() });
  }

  #root(): string {
    return this.ancestors.peek()[0] ?? this.id;
  }

  #statuses(ids: readonly string[]): readonly Status[] {
    return ids.flatMap((id) => statusOf(id).value ?? []);
  }

  #requestPost(): Promise<Status> {
    return request<Status>('GET', `/api/v1/statuses/${this.id}`);
  }

  async #loadContext(): Promise<Context> {
    const { result, refresh } = await requestWithRefresh<Context>(`/api/v1/statuses/${this.id}/context`);
    await storeInParts([...result.ancestors, ...result.descendants]);
    if (refresh !== undefined && !this.#isClosed) {
      this.isRefreshing.value = true;
      this.#stopRefresh?.();
      this.#stopRefresh = followRefresh(refresh, () => void this.#collectMissed());
    }
    return result;
  }

  /** Offers replies that were found or posted meanwhile. */
  async #collectMissed(): Promise<void> {
    const context = await request<Context>('GET', `/api/v1/statuses/${this.id}/context`).catch(() => undefined);
    this.isRefreshing.value = false;
    if (context === undefined || this.#isClosed) return;
    await storeInParts([...context.ancestors, ...context.descendants]);
    const known = new Set(this.descendants.peek());
    this.waiting.value = idsOf(context.descendants).filter((id) => !known.has(id));
    if (this.ancestors.peek().length === 0) this.ancestors.value = idsOf(context.ancestors);
  }
}

const partSize = 100;

/** Stores the posts of a long thread in parts, so that the page can answer the reader in between. */
async function storeInParts(statuses: readonly Status[]): Promise<void> {
  for (let start = 0; start < statuses.length; start += partSize) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve));
    storeStatuses(statuses.slice(start, start + partSize));
  }
}

const idsOf = (statuses: readonly Status[]): readonly string[] =>
  statuses.map(({ id }) => id).filter((id) => statusOf(id).peek() !== undefined);

const maxThreads = 10;
/** The least recently opened first. */
const threads = new Map<string, Thread>();

/** Returns the thread of a post. The last ones are kept while the client runs, so that they are shown at once after Back. */
export function threadOf(id: string): Thread {
  const thread = threads.get(id) ?? new Thread(id);
  threads.delete(id);
  threads.set(id, thread);
  for (const oldest of threads.keys()) {
    if (threads.size <= maxThreads) break;
    threads.delete(oldest);
  }
  return thread;
}
