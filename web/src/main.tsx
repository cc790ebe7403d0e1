import { render } from 'preact';
import { ApiError } from './api/client.ts';
import { openStreams } from './api/stream.ts';
import { App } from './app.tsx';
import { setLocale } from './i18n/translate.tsx';
import { leaveClient, registerServiceWorker, startOutbox } from './offline/index.ts';
import { reloadAfterNewBuild } from './lazy-page.ts';
import { isNewcomer } from './session/newcomer.ts';
import { loadInstance, loadSession, me } from './session/session.ts';
import { applyAppearance, applyLastAppearance, settings, storedSettings } from './session/settings.ts';
import { followVisit } from './session/visits.ts';
import { followSettings, receiveSettings } from './store/change-settings.ts';
import { followOtherWindows, onSharedChange } from './store/other-windows.ts';
import { receiveFromOtherWindow } from './store/relationships.ts';
import { mergeIntoStatus } from './store/statuses.ts';
import { keepSnapshots, startHome } from './timeline/index.ts';
import { ErrorState } from './ui/states.tsx';
import { followStaffCounts, followUnread } from './unread/index.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/motion.css';

/** Loads who is signed in and the texts, and shows the client. */
async function start(): Promise<void> {
  const root = document.querySelector('#app');
  if (root === null) return;
  applyLastAppearance();
  const texts = setLocale(document.documentElement.lang);
  try {
    const [session] = await Promise.all([loadSession(), texts]);
    await Promise.all([setLocale(session.locale), startHome()]);
  } catch (error) {
    await texts;
    if (error instanceof ApiError && error.status === 401) return leaveClient();
    empty(root);
    return render(<ErrorState error={error} onRetry={() => location.reload()} />, root);
  }
  applyAppearance(settings.peek());
  followVisit();
  empty(root);
  render(<App />, root);
  afterPaint(() => {
    registerServiceWorker();
    void startOutbox();
    followUnread();
    followStaffCounts();
    onSharedChange('status', ({ id, changes }) => mergeIntoStatus(id, changes));
    onSharedChange('relationship', receiveFromOtherWindow);
    onSharedChange('settings', receiveSettings);
    onSharedChange('locale', (locale) => void setLocale(locale));
    followOtherWindows();
    followSettings();
    openStreams();
    void loadInstanceAtLast();
    keepSnapshots();
    void welcomeNewcomer();
  });
}

/** Removes what was shown until the client runs: the name of the site, or what home looked like at the last visit. */
function empty(root: Element): void {
  root.replaceChildren();
  root.removeAttribute('inert');
}

/** Calls a function after the next paint, which it would delay; soon in a window that is not painted. */
function afterPaint(run: () => void): void {
  if (document.hidden) setTimeout(run);
  else requestAnimationFrame(() => setTimeout(run));
}

/** Shows newcomers around who open home. If that fails, the next visit does it. */
async function welcomeNewcomer(): Promise<void> {
  if (location.pathname !== '/' || !isNewcomer(me.peek(), storedSettings.peek(), Date.now())) return;
  const welcome = await import('./welcome/index.ts').catch(() => undefined);
  await welcome?.offerTour();
}

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/** Loads the description of the server. Tries until it succeeds. */
async function loadInstanceAtLast(retryMs = firstRetryMs): Promise<void> {
  try {
    await loadInstance();
  } catch {
    setTimeout(() => void loadInstanceAtLast(Math.min(retryMs * 2, maxRetryMs)), retryMs);
  }
}

reloadAfterNewBuild();
void start();
