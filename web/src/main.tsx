import { render } from 'preact';
import { ApiError, OfflineError } from './api/client.ts';
import { openStreams } from './api/stream.ts';
import { App } from './app.tsx';
import { setLocale } from './i18n/translate.tsx';
import { instance, loadInstance, loadSession } from './session/session.ts';
import { applyAppearance, settings } from './session/settings.ts';
import './styles/tokens.css';
import './styles/base.css';

/** Loads who is signed in and the texts, and shows the client. */
async function start(): Promise<void> {
  const root = document.querySelector('#app');
  if (root === null) return;
  const texts = setLocale(document.documentElement.lang);
  try {
    const [session] = await Promise.all([loadSession(), texts]);
    await setLocale(session.locale);
  } catch (error) {
    await texts;
    if (error instanceof ApiError && error.status === 401) return location.assign('/auth/sign_in');
    if (!(error instanceof OfflineError)) throw error;
    return;
  }
  applyAppearance(settings.peek());
  root.replaceChildren();
  render(<App />, root);
  await loadInstance();
  const origin = instance.peek()?.configuration.urls.streaming;
  if (origin !== undefined) openStreams(origin);
}

void start();
