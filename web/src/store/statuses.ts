import type { ReadonlySignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Account, Quote, QuotedStatus, Status } from '../api/entities.ts';
import { Changes } from './changes.ts';
import { EntityStore } from './entity-store.ts';
import { shareChange } from './other-windows.ts';
import { isHidden } from './relationships.ts';

const statuses: EntityStore<Status> = new EntityStore<Status>({
  maxUnused: 2_000,
  maxPerRequest: 20,
  load: (ids) => request<readonly Status[]>('GET', '/api/v1/statuses', { query: { id: ids } }),
  store(status) {
    storeStatus(status);
    // Lists are not told of evicted posts when their author is blocked or muted.
    if (isHidden(status.account.id) || (status.reblog !== null && isHidden(status.reblog.account.id)))
      removeStatus(status.id);
  },
  onGone: (id) => removeStatus(id),
});
const accounts: EntityStore<Account> = new EntityStore<Account>({
  maxUnused: 2_000,
  maxPerRequest: 40,
  load: (ids) => request<readonly Account[]>('GET', '/api/v1/accounts', { query: { id: ids } }),
  store: (account) => storeAccount(account),
  onGone: () => undefined,
});

/** Returns the status with this id; undefined until it is stored, and after it was removed. */
export const statusOf = (id: string): ReadonlySignal<Status | undefined> => statuses.of(id);

/** Whether a status is loaded again, because it was not shown for long. */
export const isEvicted = (id: string): boolean => statuses.isEvicted(id);

/** Keeps the statuses of a list, also those that are scrolled out of sight, until the returned function is called. */
export const keepStatuses = (ids: () => Iterable<string>): (() => void) => statuses.keep(ids);

/** Returns the account with this id; undefined until it is stored. */
export const accountOf = (id: string): ReadonlySignal<Account | undefined> => accounts.of(id);

/** Applies what the reader changed and the server does not have yet. */
let withPending = (status: Status): Status => status;

/** Sets what is applied to each status that is stored, now or later. */
export function setPendingChanges(apply: (status: Status) => Status): void {
  withPending = apply;
  statuses.update(apply);
}

/** What the reader changes in statuses. */
export const statusChanges = new Changes<Status>({
  peek: (id) => statuses.peek(id),
  show: (id, status) => statuses.set(id, withPending(status)),
  share: (id, changes) => shareChange('status', { id, changes }),
});

/** An answer with a status that was deleted meanwhile may be on its way for so long. */
const deletionMs = 60_000;
const deletedIds = new Set<string>();

const isDeleted = ({ id, reblog }: Status): boolean =>
  deletedIds.has(id) || (reblog !== null && deletedIds.has(reblog.id));

/**
 * Stores a status as the server sent it, with its boosted and quoted posts and their authors. No-op if it was deleted a
 * moment ago, because the answer is older than that.
 */
export function storeStatus(status: Status): void {
  if (isDeleted(status)) return;
  statuses.set(status.id, withPending(statusChanges.receive(status.id, status)));
  storeAccount(status.account);
  if (status.reblog !== null) storeStatus(status.reblog);
  const { quote } = status;
  if (quote !== null && 'quoted_status' in quote && quote.quoted_status !== null) storeQuoted(quote.quoted_status);
}

/** Stores a quoted status. What it quotes itself is kept if it is stored, because only its id is sent here. */
function storeQuoted(status: QuotedStatus): void {
  const stored = statuses.peek(status.id);
  const quote = status.quote === null || stored === undefined ? (status.quote as Quote | null) : stored.quote;
  storeStatus({ ...status, quote });
}

export function storeStatuses(list: readonly Status[]): void {
  for (const status of list) storeStatus(status);
}

export function storeAccount(account: Account): void {
  accounts.set(account.id, account);
}

export function storeAccounts(list: readonly Account[]): void {
  for (const account of list) storeAccount(account);
}

/**
 * Changes a stored status as the reader did, also where it is boosted or quoted, and in other windows. No-op if it is not
 * stored.
 */
export function changeStatus(id: string, change: (status: Status) => Partial<Status>): void {
  const stored = statuses.peek(id);
  if (stored === undefined) return;
  const changes = change(stored);
  mergeChanges(id, changes);
  shareChange('status', { id, changes });
}

/** Applies what the reader changed in another window. No-op if the status is not stored. */
export function mergeIntoStatus(id: string, changes: Partial<Status>): void {
  statusChanges.follow(id, changes);
  mergeChanges(id, changes);
}

function mergeChanges(id: string, changes: Partial<Status>): void {
  const stored = statuses.peek(id);
  if (stored !== undefined) statuses.set(id, statusChanges.merge(id, stored, changes));
}

const deletionListeners = new Set<(id: string) => void>();

/** Calls a function with the id of each status that is deleted or not shown any more, as long as the client runs. */
export function onDeletion(listener: (id: string) => void): void {
  deletionListeners.add(listener);
}

/** Removes a status that was deleted, here or on another device, from everything that shows it or is about to. */
export function deleteStatus(id: string): void {
  deletedIds.add(id);
  setTimeout(() => deletedIds.delete(id), deletionMs);
  removeStatus(id);
}

function removeStatus(id: string): void {
  for (const listener of deletionListeners) listener(id);
  statuses.delete(id);
}
