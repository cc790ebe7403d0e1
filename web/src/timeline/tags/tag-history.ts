import type { Tag } from '../../api/entities.ts';

/** How often something was used on the last seven days, newest first. */
export type History = Tag['history'];

/** Returns the points of a line through these values, oldest first, inside a box. */
export function linePoints(
  values: readonly number[],
  box: { readonly width: number; readonly height: number },
): string {
  const max = Math.max(1, ...values);
  const step = box.width / Math.max(1, values.length - 1);
  return values
    .map((value, index) => `${(index * step).toFixed(1)},${(box.height - (value / max) * box.height).toFixed(1)}`)
    .join(' ');
}

/** Returns how many people used it in the last two days. */
export const recentPeople = (history: History): number =>
  history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0);
