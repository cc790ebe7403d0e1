import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Account, Status } from '../api/entities.ts';

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

/** Stores a status as the server sent it, with its boosted and quoted posts and their authors. */
export function storeStatus(status: Status): void {
  entry(statuses, status.id).value = withPending(status);
  storeAccount(status.account);
  if (status.reblog !== null) storeStatus({ ...status.reblog, reblog: null } as Status);
  const { quote } = status;
  if (quote !== null && 'quoted_status' in quote && quote.quoted_status !== null && quote.quoted_status !== undefined)
    storeStatus(quote.quoted_status as Status);
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

/** Changes a stored status, also where it is boosted or quoted. No-op if it is not stored. */
export function changeStatus(id: string, change: (status: Status) => Partial<Status>): void {
  const stored = statuses.get(id);
  if (stored?.value === undefined) return;
  stored.value = { ...stored.value, ...change(stored.value) };
}

/** Removes a deleted status: lists no longer show it. */
export function removeStatus(id: string): void {
  const stored = statuses.get(id);
  if (stored !== undefined) stored.value = undefined;
}
