/**
 * Lets a pointer drag the rows of a list by their handles, which have `data-handle` and, in CSS, `touch-action: none`.
 * `onDrop` is called with the indexes of the dragged row and of the one whose place it takes. Returns the function that
 * stops it.
 */
export function followRowDrags(list: HTMLElement, onDrop: (from: number, to: number) => void): () => void {
  let dragged: { readonly row: HTMLElement; readonly from: number; readonly startY: number; to: number } | undefined;
  const rowsOf = (): HTMLElement[] => [...list.children].filter((row) => row instanceof HTMLElement);

  const begin = ({ target, pointerId, clientY, button }: PointerEvent): void => {
    const handle = target instanceof Element ? target.closest('[data-handle]') : null;
    const rows = rowsOf();
    const from = rows.findIndex((row) => row.contains(handle));
    const row = rows[from];
    if (row === undefined || button !== 0) return;
    list.setPointerCapture(pointerId);
    dragged = { row, from, startY: clientY, to: from };
    row.dataset['dragged'] = '';
  };
  const move = ({ clientY }: PointerEvent): void => {
    if (dragged === undefined) return;
    const { row, from, startY } = dragged;
    row.style.translate = `0 ${clientY - startY}px`;
    const rows = rowsOf();
    const height = row.offsetHeight;
    dragged.to = indexAt(rows, clientY, row) ?? dragged.to;
    for (const [index, other] of rows.entries()) {
      if (other === row) continue;
      const moves = index > from && index <= dragged.to ? -height : index < from && index >= dragged.to ? height : 0;
      other.style.translate = moves === 0 ? '' : `0 ${moves}px`;
    }
  };
  const end = ({ type }: PointerEvent): void => {
    if (dragged === undefined) return;
    const { row, from, to } = dragged;
    dragged = undefined;
    delete row.dataset['dragged'];
    for (const one of rowsOf()) one.style.translate = '';
    if (type === 'pointerup' && from !== to) onDrop(from, to);
  };

  list.addEventListener('pointerdown', begin);
  list.addEventListener('pointermove', move);
  list.addEventListener('pointerup', end);
  list.addEventListener('pointercancel', end);
  return () => {
    list.removeEventListener('pointerdown', begin);
    list.removeEventListener('pointermove', move);
    list.removeEventListener('pointerup', end);
    list.removeEventListener('pointercancel', end);
  };
}

/** Returns the row at a height, where rows are without being moved aside; the first or last one beyond them. */
function indexAt(rows: readonly HTMLElement[], y: number, dragged: HTMLElement): number | undefined {
  const top = (dragged.parentElement?.getBoundingClientRect().top ?? 0) - (rows[0]?.offsetTop ?? 0);
  const index = rows.findIndex((row) => y < top + row.offsetTop + row.offsetHeight);
  return index < 0 ? rows.length - 1 : index;
}
