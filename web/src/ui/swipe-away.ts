import './sheet.css';

/** A swipe closes what it pulled so far down, or threw faster over some distance. */
const farPx = 96;
const thrownPx = 32;
const fastPxPerMs = 0.5;

/**
 * Lets a finger pull a sheet down and away: something of the class `sheet`, at the lower edge of phones.
 * `close` is called at the end of the swipe; the sheet returns to its place if it stays open. Returns the function that
 * stops it.
 */
export function followSwipes(sheet: HTMLElement, close: () => void): () => void {
  let start: { readonly y: number; readonly time: number } | undefined;
  let way = 0;

  const begin = ({ touches, target, timeStamp }: TouchEvent): void => {
    const [finger] = touches;
    const isPullable = finger !== undefined && touches.length === 1 && isAtLowerEdge(sheet) && isAtTop(target, sheet);
    start = isPullable ? { y: finger.clientY, time: timeStamp } : undefined;
    way = 0;
  };
  const move = (event: TouchEvent): void => {
    const [finger] = event.touches;
    if (start === undefined || finger === undefined) return;
    way = finger.clientY - start.y;
    // Upwards, it scrolls.
    if (way < 0) start = undefined;
    if (way <= 0) return;
    event.preventDefault();
    sheet.style.transition = 'none';
    sheet.style.translate = `0 ${way}px`;
  };
  const end = ({ timeStamp, type }: TouchEvent): void => {
    if (start === undefined) return;
    const isThrown = way > thrownPx && way / (timeStamp - start.time) > fastPxPerMs;
    start = undefined;
    sheet.style.transition = '';
    sheet.style.translate = '';
    if (type === 'touchend' && (way > farPx || isThrown)) close();
  };

  sheet.addEventListener('touchstart', begin, { passive: true });
  sheet.addEventListener('touchmove', move, { passive: false });
  sheet.addEventListener('touchend', end);
  sheet.addEventListener('touchcancel', end);
  return () => {
    sheet.removeEventListener('touchstart', begin);
    sheet.removeEventListener('touchmove', move);
    sheet.removeEventListener('touchend', end);
    sheet.removeEventListener('touchcancel', end);
  };
}

const isAtLowerEdge = (sheet: HTMLElement): boolean => getComputedStyle(sheet).bottom === '0px';

/** Whether nothing between a touched element and the sheet is scrolled, so that a pull down does not scroll it. */
function isAtTop(target: EventTarget | null, sheet: HTMLElement): boolean {
  for (let element = target instanceof Element ? target : null; element !== null; element = element.parentElement) {
    if (element.scrollTop > 0) return false;
    if (element === sheet) return true;
  }
  return true;
}
