import { signal } from '@preact/signals';
import { requestLinked, withQuery, type Query } from '../api/client.ts';
import type { GroupedNotificationsResults, Notification } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { storeAccount, storeAccounts, storeStatus, storeStatuses } from '../store/statuses.ts';
import { addNotification, appendGroups, toShownGroups, type ShownGroup } from './group-notifications.ts';
import { supportedTypes } from './notification-types.ts';

/** Which notifications a list has. */
export interface NotificationFilter {
  readonly types?: readonly string[];
  /** Only those from this account, with the filtered ones. */
  readonly accountId?: string;
}

const pageSize = 30;

/** The grouped notifications of the account, newest first. */
export class NotificationList {
  readonly groups = signal<readonly ShownGroup[]>([]);
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly isComplete = signal(false);
  /** New notifications that wait until the reader wants to see them. */
  readonly waiting = signal<readonly Notification[]>([]);
  error: unknown;
  readonly filter: NotificationFilter;
  #next: string | undefined;
  #isLoading = false;
  #mustLoadAgain = false;
  /** New notifications that were shown while a page is loaded, which may lack them. */
  #shownMeanwhile: Notification[] = [];

  constructor(filter: NotificationFilter) {
    this.filter = filter;
  }

  /** Loads the newest page; once more if a page is being loaded, because that may be older than this call. */
  load(): Promise<void> {
    if (this.#isLoading) {
      this.#mustLoadAgain = true;
      return Promise.resolve();
    }
    this.waiting.value = [];
    return this.#load(withQuery('/api/v2/notifications', this.#query()), () => []);
  }

  /** Loads the page after the oldest group. */
  loadOlder(): Promise<void> {
    return this.#next === undefined ? Promise.resolve() : this.#load(this.#next, () => this.groups.peek());
  }

  /** Receives new notifications until the returned function is called. `isAtTop`: whether they may be shown at once. */
  follow(isAtTop: () => boolean): () => void {
    return subscribe(
      { stream: 'user' },
      {
        onEvent: ({ event, payload = '' }) => {
          if (event === 'notification') this.#receive(JSON.parse(payload) as Notification, isAtTop());
          if (event === 'notifications_merged') void this.load();
        },
        onOpen: () => void this.load(),
      },
    );
  }

  showWaiting(): void {
    this.groups.value = this.waiting.peek().reduce(addNotification, this.groups.peek());
    if (this.#isLoading) this.#shownMeanwhile.push(...this.waiting.peek());
    this.waiting.value = [];
  }

  /** Removes a group from the list. */
  remove(key: string): void {
    this.groups.value = this.groups.peek().filter((group) => group.key !== key);
  }

  #receive(notification: Notification, isShownAtOnce: boolean): void {
    const { types, accountId } = this.filter;
    if (types !== undefined && !types.includes(notification.type)) return;
    if (accountId !== undefined && accountId !== notification.account.id) return;
    storeAccount(notification.account);
    if (notification.status !== undefined) storeStatus(notification.status);
    this.waiting.value = [...this.waiting.peek(), notification];
    if (isShownAtOnce) this.showWaiting();
  }

  #query(): Query {
    const { types, accountId } = this.filter;
    return {
      limit: pageSize,
      types,
      account_id: accountId,
      include_filtered: accountId === undefined ? undefined : true,
      supported_types: supportedTypes,
    };
  }

  async #load(path: string, before: () => readonly ShownGroup[]): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#shownMeanwhile = [];
    this.state.value = 'loading';
    try {
      const { result, next } = await requestLinked<GroupedNotificationsResults>(path);
      storeAccounts(result.accounts);
      storeStatuses(result.statuses);
      const groups = toShownGroups(result);
      this.groups.value = this.#shownMeanwhile.reduce(addNotification, appendGroups(before(), groups));
      this.#next = groups.length === 0 ? undefined : next;
      this.isComplete.value = this.#next === undefined;
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    } finally {
      this.#isLoading = false;
    }
    if (!this.#mustLoadAgain) return;
    this.#mustLoadAgain = false;
    await this.load();
  }
}
