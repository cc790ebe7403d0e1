import { ApiError, request } from '../api/client.ts';
import { loadStoredSettings } from '../session/session.ts';
import { applyAppearance, settings, storedSettings, type Settings, type StoredSettings } from '../session/settings.ts';
import { shareChange } from './other-windows.ts';

/** Returns what a change makes of the settings. It is called again if another device changed them meanwhile. */
type ChangeOfSettings = (current: Settings) => Partial<Settings>;

interface Unsent {
  readonly change: ChangeOfSettings;
  readonly onError: (error: unknown) => void;
}

let unsent: readonly Unsent[] = [];
let sending: Promise<void> | undefined;

/**
 * Changes settings at once, and stores all of them on the server. Resolves when the server has the last change, or refused
 * it. `onError` is called after the changes that it refused are undone.
 */
export function changeSettings(change: ChangeOfSettings, onError: (error: unknown) => void): Promise<void> {
  unsent = [...unsent, { change, onError }];
  show();
  sending ??= sendAll().finally(() => (sending = undefined));
  return sending;
}

async function sendAll(): Promise<void> {
  while (unsent.length > 0) {
    const sent = unsent;
    try {
      await send(sent);
      unsent = unsent.slice(sent.length);
      show();
    } catch (error) {
      const last = unsent.at(-1);
      unsent = [];
      show();
      last?.onError(error);
    }
  }
}

const maxAttempts = 5;

/** Stores the settings with some changes; again with those of another device that was faster. */
async function send(changes: readonly Unsent[], attempt = 1): Promise<void> {
  const { settings: before, version } = storedSettings.peek();
  const data = withChanges(before, changes);
  try {
    const stored = await request<{ version: number }>('PUT', '/api/web/settings', { body: { data, version } });
    storedSettings.value = { settings: data, version: stored.version };
    shareChange('settings', storedSettings.peek());
  } catch (error) {
    const isOutdated = error instanceof ApiError && error.status === 409 && !error.isAboutSession;
    if (!isOutdated || attempt === maxAttempts) throw error;
    storedSettings.value = await loadStoredSettings();
    await send(changes, attempt + 1);
  }
}

const withChanges = (before: Settings, changes: readonly Unsent[]): Settings =>
  changes.reduce((changed, { change }) => ({ ...changed, ...change(changed) }), before);

function show(): void {
  settings.value = withChanges(storedSettings.peek().settings, unsent);
  applyAppearance(settings.peek());
}

/** Shows the settings that another window stored. */
export function receiveSettings(stored: StoredSettings): void {
  if (sending !== undefined) return;
  storedSettings.value = stored;
  show();
}

/** Shows what other devices changed when the reader returns to the window, while the client runs. */
export function followSettings(): void {
  document.addEventListener('visibilitychange', () => {
    // Without a connection, the next return loads them.
    if (document.visibilityState === 'visible') refreshSettings().catch(() => undefined);
  });
}

async function refreshSettings(): Promise<void> {
  const stored = await loadStoredSettings();
  // The service worker may return an old response while the network is slow.
  if ((stored.version ?? 0) > (storedSettings.peek().version ?? 0)) receiveSettings(stored);
}
