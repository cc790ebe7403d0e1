import { hasLayers } from './layers.ts';

/** A swipe turns the page that it pushed so far, or threw faster over some distance. */
const farPx = 96;
const thrownPx = 32;
const fastPxPerMs = 0.5;
/** Before this, it may still become a scroll. */
const beginPx = 12;
/** At the edges of the window, browsers go back and forward. */
const edgePx = 24;

interface SwipesBetween {
  /** Whether there is a page before (-1) or after (1) this one. */
  readonly has: (step: -1 | 1) => boolean;
  readonly turn: (step: -1 | 1) => void;
}

/**
 * Lets a finger push a page aside to the one before or after it. The page follows the finger, and returns to its place if
 * it is not pushed far enough. Its CSS must have `touch-action: pan-y`. Returns the function that stops it.
 */
export function followSwipesBetween(page: HTMLElement, { has, turn }: SwipesBetween): () => void {
  let start: { readonly x: number; readonly y: number; readonly time: number } | undefined;
  let way = 0;

  const begin = ({ touches, target, timeStamp }: TouchEvent): void => {
    const [finger] = touches;
    const isOwn = finger !== undefined && touches.length === 1 && !isTaken(target, page) && !isAtEdge(finger.clientX);
    start = isOwn ? { x: finger.clientX, y: finger.clientY, time: timeStamp } : undefined;
    setWay(0);
  };
  const move = ({ touches: [finger] }: TouchEvent): void => {
    if (start === undefined || finger === undefined) return;
    const x = finger.clientX - start.x;
    const isScroll = way === 0 && Math.abs(finger.clientY - start.y) > Math.abs(x);
    if (isScroll) start = undefined;
    if (isScroll || (way === 0 && Math.abs(x) < beginPx)) return;
    // Where there is no page, it hardly moves.
    setWay(has(stepOf(x)) ? x : x / 6);
  };
  const end = ({ timeStamp, type }: TouchEvent): void => {
    const began = start;
    const went = way;
    start = undefined;
    setWay(0);
    if (began === undefined || type !== 'touchend' || !has(stepOf(went))) return;
    const isThrown = Math.abs(went) > thrownPx && Math.abs(went) / (timeStamp - began.time) > fastPxPerMs;
    if (Math.abs(went) > farPx || isThrown) turn(stepOf(went));
  };
  const setWay = (px: number): void => {
    way = px;
    page.style.translate = px === 0 ? '' : `${px}px`;
  };

  page.addEventListener('touchstart', begin, { passive: true });
  page.addEventListener('touchmove', move, { passive: true });
  page.addEventListener('touchend', end);
  page.addEventListener('touchcancel', end);
  return () => {
    page.removeEventListener('touchstart', begin);
    page.removeEventListener('touchmove', move);
    page.removeEventListener('touchend', end);
    page.removeEventListener('touchcancel', end);
  };
}

/** A push against the direction of the text leads to the next page. */
const stepOf = (px: number): -1 | 1 => (px < 0 === (document.documentElement.dir !== 'rtl') ? 1 : -1);

const isAtEdge = (x: number): boolean => x < edgePx || x > globalThis.innerWidth - edgePx;

/** Whether a touch means something else: a layer is open, the page is zoomed, text is selected, or something scrolls sideways. */
function isTaken(target: EventTarget | null, page: HTMLElement): boolean {
  if (hasLayers() || (visualViewport?.scale ?? 1) > 1 || getSelection()?.isCollapsed === false) return true;
  for (let element = target instanceof Element ? target : null; element !== null; element = element.parentElement) {
    if (element === page) return false;
    if (element.matches('input, textarea, select, video, audio, [contenteditable]')) return true;
    const isWider = element.scrollWidth > element.clientWidth;
    if (isWider && /auto|scroll/.test(getComputedStyle(element).overflowX)) return true;
  }
  return false;
}
