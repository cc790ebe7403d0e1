import { ApiError, ExplainedError, request } from '../api/client.ts';
import type { Account, Search } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { storeAccount } from '../store/statuses.ts';
import type { Load } from '../ui/load.ts';
import { useLoaded } from '../ui/use-loaded.tsx';

const idsByHandle = new Map<string, string>();

/** Finds the account of a handle such as `@name@server`. A remote account that is unknown is fetched from its server. */
async function findAccount(acct: string): Promise<Account | undefined> {
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

/**
 * Loads the account of a handle into the store. `id` is undefined until it is found, and null if there is no such account.
 * One that was shown before appears at once, and is loaded again.
 */
export function useAccount(handle: string): {
  readonly id: string | null | undefined;
  readonly loaded: Load<string | null>;
} {
  const acct = handle.replace(/^@/, '');
  const key = acct.toLowerCase();
  const loaded = useLoaded(key, () => findInto(acct, key));
  const isWaiting = loaded.value === undefined && loaded.error === undefined;
  return { id: isWaiting ? idsByHandle.get(key) : loaded.value, loaded };
}

async function findInto(acct: string, key: string): Promise<string | null> {
  const known = idsByHandle.get(key);
  try {
    const account =
      known === undefined ? await findAccount(acct) : await request<Account>('GET', `/api/v1/accounts/${known}`);
    if (account === undefined) return null;
    storeAccount(account);
    // Shows that the account was viewed, so that the server refreshes a remote one.
    if (known === undefined && account.acct.includes('@')) void refresh(account.id);
    idsByHandle.set(key, account.id);
    return account.id;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return null;
    throw error;
  }
}

async function refresh(id: string): Promise<void> {
  const account = await request<Account>('GET', `/api/v1/accounts/${id}`).catch(() => undefined);
  if (account !== undefined) storeAccount(account);
}
