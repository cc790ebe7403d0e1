/** A swipe takes away what it pushed so far aside. */
const farPx = 96;
/** Before this, it may still become a scroll. */
const beginPx = 12;

/**
 * Lets a finger push an element of a list aside. `onAway` is called once it is far enough; before that it returns to its
 * place. Its CSS must have `touch-action: pan-y`. Returns the function that stops it.
 */
export function followSidewaysSwipes(element: HTMLElement, onAway: () => void): () => void {
  let start: { readonly x: number; readonly y: number } | undefined;
  let way = 0;

  const begin = ({ touches }: TouchEvent): void => {
    const [finger] = touches;
    start = finger === undefined || touches.length > 1 ? undefined : { x: finger.clientX, y: finger.clientY };
    way = 0;
  };
  const move = ({ touches: [finger] }: TouchEvent): void => {
    if (start === undefined || finger === undefined) return;
    const x = finger.clientX - start.x;
    const isScroll = way === 0 && Math.abs(finger.clientY - start.y) > Math.abs(x);
    if (isScroll) start = undefined;
    if (isScroll || Math.abs(x) < beginPx) return;
    way = x;
    element.style.translate = `${x}px`;
  };
  const end = ({ type }: TouchEvent): void => {
    start = undefined;
    element.style.translate = '';
    if (type === 'touchend' && Math.abs(way) > farPx) onAway();
  };

  element.addEventListener('touchstart', begin, { passive: true });
  element.addEventListener('touchmove', move, { passive: true });
  element.addEventListener('touchend', end);
  element.addEventListener('touchcancel', end);
  return () => {
    element.removeEventListener('touchstart', begin);
    element.removeEventListener('touchmove', move);
    element.removeEventListener('touchend', end);
    element.removeEventListener('touchcancel', end);
  };
}
