import { me } from '../session/session.ts';
import { homeSource } from './sources.ts';
import { timelineOf } from './timeline.ts';

const settleMs = 3_000;

/**
 * Keeps what the top of home looks like, so that the next visit shows it at once, until the client runs: soon after home was
 * shown, and when the window is left.
 */
export function keepSnapshots(): void {
  setTimeout(sendSnapshot, settleMs);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) sendSnapshot();
  });
}

/** Sends the page to the service worker, which stores it. No-op elsewhere than at the top of home. */
function sendSnapshot(): void {
  const html = takeSnapshot();
  if (html === undefined) return;
  navigator.serviceWorker?.controller?.postMessage({ kind: 'snapshot', html, accountId: me.peek().id });
}

function takeSnapshot(): string | undefined {
  const app = document.querySelector('.app');
  const feed = app?.querySelector('#content > .posts, .home-tab[data-source=home] > .posts') ?? undefined;
  const isTop = globalThis.scrollY < 1 && timelineOf(homeSource).position === undefined;
  if (app === null || feed === undefined || !isTop || !isHome() || document.querySelector('dialog[open]') !== null)
    return undefined;
  const posts = [...feed.querySelectorAll(':scope > * > *')];
  const isVisible = posts.map((post) => post.getBoundingClientRect().top < globalThis.innerHeight);
  const copy = app.cloneNode(true) as Element;
  const copiedPosts = [...copy.querySelectorAll('#content .posts > * > *')];
  for (const [index, post] of copiedPosts.entries()) if (isVisible[index] !== true) post.remove();
  for (const element of copy.querySelectorAll(leftOut)) element.remove();
  // The policy of the page forbids styles of elements.
  for (const element of copy.querySelectorAll('[style]')) element.removeAttribute('style');
  return copy.outerHTML;
}

/** The aside is loaded after home, media would start, and sensitive images are shown only on request. */
const leftOut = '.aside > *, video, audio, iframe, canvas, .media-grid:has(.media-hide) img';

const isHome = (): boolean => ['/', '/home'].includes(globalThis.location.pathname);
