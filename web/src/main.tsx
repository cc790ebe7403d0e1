import { render } from 'preact';
import { ApiError } from './api/client.ts';
import { openStreams } from './api/stream.ts';
import { App } from './app.tsx';
import { setLocale } from './i18n/translate.tsx';
import { startOutbox } from './offline/outbox.ts';
import { leaveClient, registerServiceWorker } from './offline/register.ts';
import { instance, loadInstance, loadSession } from './session/session.ts';
import { applyAppearance, applyLastAppearance, settings } from './session/settings.ts';
import { ErrorState } from './ui/states.tsx';
import { followUnread } from './unread/unread.ts';
import './styles/tokens.css';
import './styles/base.css';

/** Loads who is signed in and the texts, and shows the client. */
async function start(): Promise<void> {
  const root = document.querySelector('#app');
  if (root === null) return;
  applyLastAppearance();
  const texts = setLocale(document.documentElement.lang);
  try {
    const [session] = await Promise.all([loadSession(), texts]);
    await setLocale(session.locale);
  } catch (error) {
    await texts;
    if (error instanceof ApiError && error.status === 401) return leaveClient();
    root.replaceChildren();
    return render(<ErrorState error={error} onRetry={() => location.reload()} />, root);
  }
  applyAppearance(settings.peek());
  root.replaceChildren();
  render(<App />, root);
  // After the first paint, which these would delay.
  requestAnimationFrame(() => {
    registerServiceWorker();
    void startOutbox();
  });
  await loadInstance();
  const origin = instance.peek()?.configuration.urls.streaming;
  if (origin !== undefined) openStreams(origin);
  followUnread();
}

// A newer build replaced the files of this one.
globalThis.addEventListener('vite:preloadError', () => location.reload());

void start();
