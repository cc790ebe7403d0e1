import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Account, Quote, QuotedStatus, Status } from '../api/entities.ts';
import { Changes } from './changes.ts';
import { shareChange } from './other-windows.ts';

const statuses = new Map<string, Signal<Status | undefined>>();
const accounts = new Map<string, Signal<Account | undefined>>();

function entry<Entity>(map: Map<string, Signal<Entity | undefined>>, id: string): Signal<Entity | undefined> {
  let found = map.get(id);
  if (found === undefined) map.set(id, (found = signal<Entity | undefined>(undefined)));
  return found;
}

/** Returns the status with this id; undefined until it is stored, and after it was removed. */
export const statusOf = (id: string): ReadonlySignal<Status | undefined> => entry(statuses, id);

/** Returns the account with this id; undefined until it is stored. */
export const accountOf = (id: string): ReadonlySignal<Account | undefined> => entry(accounts, id);

/** Applies what the reader changed and the server does not have yet. */
let withPending = (status: Status): Status => status;

/** Sets what is applied to each status that is stored, now or later. */
export function setPendingChanges(apply: (status: Status) => Status): void {
  withPending = apply;
  for (const stored of statuses.values()) if (stored.value !== undefined) stored.value = apply(stored.value);
}

/** What the reader changes in statuses. */
export const statusChanges = new Changes<Status>({
  peek: (id) => statuses.get(id)?.peek(),
  show: (id, status) => (entry(statuses, id).value = withPending(status)),
  share: (id, changes) => shareChange({ kind: 'status', id, changes }),
});

/** Stores a status as the server sent it, with its boosted and quoted posts and their authors. */
export function storeStatus(status: Status): void {
  entry(statuses, status.id).value = withPending(statusChanges.receive(status.id, status));
  storeAccount(status.account);
  if (status.reblog !== null) storeStatus(status.reblog);
  const { quote } = status;
  if (quote !== null && 'quoted_status' in quote && quote.quoted_status !== null) storeQuoted(quote.quoted_status);
}

/** Stores a quoted status. What it quotes itself is kept if it is stored, because only its id is sent here. */
function storeQuoted(status: QuotedStatus): void {
  const stored = statuses.get(status.id)?.peek();
  const quote = status.quote === null || stored === undefined ? (status.quote as Quote | null) : stored.quote;
  storeStatus({ ...status, quote });
}

export function storeStatuses(list: readonly Status[]): void {
  for (const status of list) storeStatus(status);
}

export function storeAccount(account: Account): void {
  entry(accounts, account.id).value = account;
}

export function storeAccounts(list: readonly Account[]): void {
  for (const account of list) storeAccount(account);
}

/**
 * Changes a stored status as the reader did, also where it is boosted or quoted, and in other windows. No-op if it is not
 * stored.
 */
export function changeStatus(id: string, change: (status: Status) => Partial<Status>): void {
  const stored = statuses.get(id)?.peek();
  if (stored === undefined) return;
  const changes = change(stored);
  mergeChanges(id, changes);
  shareChange({ kind: 'status', id, changes });
}

/** Applies what the reader changed in another window. No-op if the status is not stored. */
export function mergeIntoStatus(id: string, changes: Partial<Status>): void {
  statusChanges.follow(id, changes);
  mergeChanges(id, changes);
}

function mergeChanges(id: string, changes: Partial<Status>): void {
  const stored = statuses.get(id);
  if (stored?.value !== undefined) stored.value = statusChanges.merge(id, stored.value, changes);
}

const deletionListeners = new Set<(id: string) => void>();

/** Calls a function with the id of each status that is deleted, as long as the client runs. */
export function onDeletion(listener: (id: string) => void): void {
  deletionListeners.add(listener);
}

/** Removes a status that was deleted, here or on another device, from everything that shows it. */
export function deleteStatus(id: string): void {
  for (const listener of deletionListeners) listener(id);
  removeStatus(id);
}

function removeStatus(id: string): void {
  const stored = statuses.get(id);
  if (stored !== undefined) stored.value = undefined;
}
