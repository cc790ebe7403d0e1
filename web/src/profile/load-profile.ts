import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, ExplainedError, request } from '../api/client.ts';
import type { Account, Search } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { storeAccount } from '../store/statuses.ts';

/** The id of the account of a page, once it is found. */
export type FoundAccount =
  | { readonly state: 'loading' }
  | { readonly state: 'found'; readonly id: string }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly error: unknown };

const idsByHandle = new Map<string, string>();

/** Finds the account of a handle such as `@name@server`. A remote account that is unknown is fetched from its server. */
export async function findAccount(acct: string): Promise<Account | undefined> {
  try {
    return await request<Account>('GET', '/api/v1/accounts/lookup', { query: { acct } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  if (!acct.includes('@')) return undefined;
  const query = { q: `@${acct}`, type: 'accounts', resolve: true, limit: 5 };
  const { accounts, unreachable_host: host } = await request<Search>('GET', '/api/v2/search', { query });
  const account = accounts.find((other) => other.acct.toLowerCase() === acct.toLowerCase());
  if (account === undefined && host !== undefined) throw new ExplainedError(t('people.unreachableHost', { host }));
  return account;
}

/** Loads the account of a handle into the store. One that was shown before appears at once, and is loaded again. */
export function useAccount(handle: string): {
  readonly found: ReadonlySignal<FoundAccount>;
  readonly reload: () => void;
} {
  const acct = handle.replace(/^@/, '');
  const key = acct.toLowerCase();
  const found = useSignal<FoundAccount>(initialState(key));
  const load = async (signal?: AbortSignal): Promise<void> => {
    found.value = initialState(key);
    const result = await findInto(acct, key);
    if (signal?.aborted !== true) found.value = result;
  };
  useEffect(() => {
    const controller = new AbortController();
    void load(controller.signal);
    return () => controller.abort();
  }, [key]);
  return { found, reload: () => void load() };
}

function initialState(key: string): FoundAccount {
  const id = idsByHandle.get(key);
  return id === undefined ? { state: 'loading' } : { state: 'found', id };
}

async function findInto(acct: string, key: string): Promise<FoundAccount> {
  try {
    const known = idsByHandle.get(key);
    const account =
      known === undefined ? await findAccount(acct) : await request<Account>('GET', `/api/v1/accounts/${known}`);
    if (account === undefined) return { state: 'missing' };
    storeAccount(account);
    // Shows that the account was viewed, so that the server refreshes a remote one.
    if (known === undefined && account.acct.includes('@')) void refresh(account.id);
    idsByHandle.set(key, account.id);
    return { state: 'found', id: account.id };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return { state: 'missing' };
    return { state: 'failed', error };
  }
}

async function refresh(id: string): Promise<void> {
  const account = await request<Account>('GET', `/api/v1/accounts/${id}`).catch(() => undefined);
  if (account !== undefined) storeAccount(account);
}
