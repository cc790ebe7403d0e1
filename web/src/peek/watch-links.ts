import { loadTexts } from '../i18n/translate.tsx';
import { hasLayers } from '../ui/layers.ts';
import { showError } from '../ui/toasts.tsx';
import { targetOf, type PeekTarget } from './peek-target.ts';

/** How long the pointer rests on a link, and a finger presses it, until the preview is loaded. */
const restMs = 500;
const pressMs = 500;
/** A finger that moves so far scrolls. */
const movedPx = 10;

const loadPeeks = async () => {
  const [{ openPeekCard, openPeekDialog }] = await Promise.all([import('./open-peek.tsx'), loadTexts('people')]);
  return { openPeekCard, openPeekDialog };
};

/** Shows previews when the pointer rests on a link and when a finger presses it for long. */
export function startPeeks(): void {
  watchPointer();
  watchFingers();
}

/** Opens the preview of the focused link, or of the author of a focused post. Returns whether there is one. */
export function peekAtFocus(post: HTMLElement | null): boolean {
  const focused = document.activeElement;
  const link =
    focused instanceof HTMLAnchorElement ? focused : post?.querySelector<HTMLAnchorElement>('.status-author');
  const target = link == null ? undefined : targetOf(link);
  if (target === undefined) return false;
  void openPeek(target);
  return true;
}

async function openPeek(target: PeekTarget): Promise<void> {
  try {
    (await loadPeeks()).openPeekDialog(target);
  } catch (error) {
    showError(error, () => void openPeek(target));
  }
}

function watchPointer(): void {
  let rested: HTMLAnchorElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = (link: HTMLAnchorElement | undefined): void => {
    clearTimeout(timer);
    rested = link;
    if (link === undefined || hasLayers()) return;
    timer = setTimeout(() => {
      const target = targetOf(link);
      // Nobody asked for it, so that a failure is not shown.
      if (target !== undefined)
        loadPeeks().then(
          ({ openPeekCard }) => openPeekCard(target, link, () => rested === link && link.isConnected),
          () => undefined,
        );
    }, restMs);
  };
  let lastPlace = '';
  document.addEventListener(
    'pointermove',
    ({ target, pointerType, screenX, screenY }) => {
      // Browsers also send it when the page scrolls below a pointer that stands still.
      const place = `${screenX} ${screenY}`;
      if (pointerType !== 'mouse' || place === lastPlace) return;
      lastPlace = place;
      const link = linkAt(target);
      if (link !== rested) rest(link);
    },
    { passive: true },
  );
  for (const type of ['scroll', 'pointerdown', 'keydown'])
    document.addEventListener(type, () => rest(undefined), { capture: true, passive: true });
  document.documentElement.addEventListener('pointerleave', () => rest(undefined));
}

function watchFingers(): void {
  let pressed: { readonly target: PeekTarget; readonly x: number; readonly y: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the finger that opened a preview is still down. */
  let hasOpened = false;
  const release = (): void => {
    clearTimeout(timer);
    pressed = undefined;
  };
  const open = (): void => {
    if (pressed === undefined) return;
    const { target } = pressed;
    release();
    hasOpened = true;
    void openPeek(target);
  };
  document.addEventListener(
    'touchstart',
    ({ touches, target: touched }) => {
      release();
      hasOpened = false;
      const [finger] = touches;
      const link = touches.length === 1 && !hasLayers() ? linkAt(touched) : undefined;
      const target = link === undefined ? undefined : targetOf(link);
      if (finger === undefined || target === undefined) return;
      pressed = { target, x: finger.clientX, y: finger.clientY };
      timer = setTimeout(open, pressMs);
    },
    { passive: true },
  );
  document.addEventListener(
    'touchmove',
    ({ touches: [finger] }) => {
      if (pressed === undefined || finger === undefined) return;
      if (Math.hypot(finger.clientX - pressed.x, finger.clientY - pressed.y) > movedPx) release();
    },
    { passive: true },
  );
  document.addEventListener('touchend', (event) => {
    // Lifting the finger follows no link.
    if (hasOpened && event.cancelable) event.preventDefault();
    release();
  });
  document.addEventListener('touchcancel', release);
  document.addEventListener('scroll', release, { capture: true, passive: true });
  // In place of the menu of the browser, which opens after about the same time.
  document.addEventListener('contextmenu', (event) => {
    if (pressed === undefined && !hasOpened) return;
    event.preventDefault();
    open();
  });
}

const linkAt = (target: EventTarget | null): HTMLAnchorElement | undefined =>
  target instanceof Element ? (target.closest('a') ?? undefined) : undefined;
