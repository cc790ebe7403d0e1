/** Returns where an arrow key leads in a row, which follows the direction of the page; undefined for other keys. */
export function stepOfKey(key: string): -1 | 1 | undefined {
  const isReversed = document.documentElement.dir === 'rtl';
  if (key === 'ArrowLeft') return isReversed ? 1 : -1;
  if (key === 'ArrowRight') return isReversed ? -1 : 1;
  return undefined;
}
