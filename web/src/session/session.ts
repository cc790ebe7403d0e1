import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { request, setActiveAccount } from '../api/client.ts';
import type { Account, CredentialAccount, Instance } from '../api/entities.ts';
import { openDocument } from '../navigate.ts';
import { settings, storedSettings, withDefaults, type Settings, type StoredSettings } from './settings.ts';

/** Who is signed in, and in which accounts this browser is signed in besides. */
export interface Session {
  readonly account: CredentialAccount;
  /** Every account of this browser, the active one first. */
  readonly accounts: readonly Account[];
  readonly locale: string;
}

interface SessionResponse extends Session {
  readonly settings: Partial<Settings>;
  readonly settings_version?: number;
}

const current = signal<Session | undefined>(undefined);

/** The session; only read it after `loadSession`. */
export const session: ReadonlySignal<Session> = computed(() => {
  if (current.value === undefined) throw new Error('no session is loaded');
  return current.value;
});

/** The account that is signed in. */
export const me: ReadonlySignal<CredentialAccount> = computed(() => session.value.account);

/** The description of the server: limits, languages, rules. */
export const instance = signal<Instance | undefined>(undefined);

/** Loads the session of the browser's cookie. Throws ApiError 401 if nobody is signed in. */
export async function loadSession(): Promise<Session> {
  const { settings: stored, settings_version: version, ...loaded } = await requestSession();
  setActiveAccount(loaded.account.id);
  settings.value = withDefaults(stored);
  storedSettings.value = { settings: settings.peek(), version };
  current.value = loaded;
  return loaded;
}

const requestSession = (): Promise<SessionResponse> => request<SessionResponse>('GET', '/api/web/session');

/** Loads the settings again, which another device may have changed. Throws ApiError or OfflineError. */
export async function loadStoredSettings(): Promise<StoredSettings> {
  const { settings: stored, settings_version: version } = await requestSession();
  return { settings: withDefaults(stored), version };
}

/** Replaces the signed-in account after a change of its profile. */
export function setMe(account: CredentialAccount): void {
  const { accounts, ...others } = session.peek();
  current.value = { ...others, account, accounts: accounts.map((one) => (one.id === account.id ? account : one)) };
}

/** Loads the description of the server. */
export async function loadInstance(): Promise<void> {
  instance.value = await request<Instance>('GET', '/api/v2/instance');
}

/** Makes another account of this browser the active one, and loads the client anew. */
export async function switchAccount(accountId: string): Promise<void> {
  await request('POST', '/api/web/session/switch', { body: { account_id: accountId } });
  openDocument('/');
}

/** Ends the session of an account. The client is loaded anew with the next account, or a page of the server follows. */
export async function signOut(accountId: string): Promise<void> {
  const body = { account_id: accountId };
  const { next_path: path } = await request<{ next_path: string }>('POST', '/api/web/session/sign_out', { body });
  openDocument(path);
}
