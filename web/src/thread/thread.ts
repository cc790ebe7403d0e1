import { signal } from '@preact/signals';
import { request, requestWithRefresh } from '../api/client.ts';
import type { Context, Notification, Status } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { statusOf, storeStatus, storeStatuses } from '../store/statuses.ts';
import { followRefresh } from './refreshes.ts';

/** A post with what it answers and its replies, while its page is open. */
export class Thread {
  readonly id: string;
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly ancestors = signal<readonly string[]>([]);
  readonly descendants = signal<readonly string[]>([]);
  /** Replies that were found meanwhile on other servers, and wait until the reader wants to see them. */
  readonly waiting = signal<readonly string[]>([]);
  /** Whether the server still looks for replies. */
  readonly isRefreshing = signal(false);
  error: unknown;
  #stopRefresh: (() => void) | undefined;
  #isClosed = false;

  constructor(id: string) {
    this.id = id;
  }

  async load(): Promise<void> {
    this.state.value = 'loading';
    try {
      const [status, context] = await Promise.all([
        request<Status>('GET', `/api/v1/statuses/${this.id}`),
        this.#loadContext(),
      ]);
      storeStatus(status);
      this.ancestors.value = idsOf(context.ancestors);
      this.descendants.value = idsOf(context.descendants);
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    }
  }

  /** Shows the replies that wait. */
  showWaiting(): void {
    this.descendants.value = [...this.descendants.peek(), ...this.waiting.peek()];
    this.waiting.value = [];
  }

  /** Adds replies as they are posted, until the returned function is called. */
  follow(): () => void {
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
  }

  async #loadContext(): Promise<Context> {
    const { result, refresh } = await requestWithRefresh<Context>(`/api/v1/statuses/${this.id}/context`);
    storeStatuses([...result.ancestors, ...result.descendants]);
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
    storeStatuses([...context.ancestors, ...context.descendants]);
    const known = new Set(this.descendants.peek());
    this.waiting.value = idsOf(context.descendants).filter((id) => !known.has(id));
    if (this.ancestors.peek().length === 0) this.ancestors.value = idsOf(context.ancestors);
  }
}

const idsOf = (statuses: readonly Status[]): readonly string[] =>
  statuses.map(({ id }) => id).filter((id) => statusOf(id).peek() !== undefined);
