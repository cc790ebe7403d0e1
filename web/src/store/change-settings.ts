import { request } from '../api/client.ts';
import { applyAppearance, settings, type Settings } from '../session/settings.ts';
import { Changes, setFields } from './changes.ts';

const changes = new Changes<Settings>({
  peek: () => settings.peek(),
  show(_id, shown) {
    settings.value = shown;
    applyAppearance(shown);
  },
});

/**
 * Changes some settings at once, and stores all of them on the server. Resolves when the server has the last change.
 * `onError` is called after changes that it refused are undone.
 */
export async function changeSettings(fields: Partial<Settings>, onError: (error: unknown) => void): Promise<void> {
  const data = { ...settings.peek(), ...fields };
  // One name for all fields: each change is sent with those before it.
  const send = () => request('PUT', '/api/web/settings', { body: { data } }).then(() => undefined);
  await changes.make('settings', setFields<Settings>(data, { name: 'settings', send, onError }));
}
