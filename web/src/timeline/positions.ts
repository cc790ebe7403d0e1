import { me } from '../session/session.ts';

/** Where a reader is in a timeline: a post, and the distance of its top from the top of the page, in pixels. */
export interface Position {
  readonly id: string;
  readonly offset: number;
}

const keyOf = (timeline: string): string => `position:${me.peek().id}:${timeline}`;

/** Returns where the reader was before the window was loaded anew; undefined: at the top, or never there. */
export function findSavedPosition(timeline: string): Position | undefined {
  const saved = sessionStorage.getItem(keyOf(timeline));
  if (saved === null) return undefined;
  const { id, offset } = JSON.parse(saved) as Partial<Position>;
  return id !== undefined && /^\d+$/.test(id) ? { id, offset: offset ?? 0 } : undefined;
}

/** Keeps the position of a timeline for this window. Undefined: at the top. */
export function savePosition(timeline: string, position: Position | undefined): void {
  if (position === undefined) sessionStorage.removeItem(keyOf(timeline));
  else sessionStorage.setItem(keyOf(timeline), JSON.stringify(position));
}

/**
 * Scrolls the page to its top when it cannot be opened where the reader was. The browser scrolls a reloaded page where it
 * was, also after its next layouts until it is loaded: scrolls again then, unless the reader acted meanwhile.
 */
export function scrollToTop(): void {
  let hasActed = false;
  const act = (): void => {
    hasActed = true;
    // The browser restores the pages to which the reader goes from here.
    history.scrollRestoration = 'auto';
  };
  for (const type of ['pointerdown', 'keydown', 'wheel']) addEventListener(type, act, { once: true, passive: true });
  const scroll = (): void => {
    if (!hasActed) scrollTo(0, 0);
  };
  history.scrollRestoration = 'manual';
  scroll();
  const scrollAfterLayout = (): number => requestAnimationFrame(() => requestAnimationFrame(scroll));
  scrollAfterLayout();
  if (document.readyState !== 'complete') addEventListener('load', scrollAfterLayout, { once: true });
}
