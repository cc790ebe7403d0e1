import type { Tag } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import './tag-chart.css';

type History = Tag['history'];

const width = 72;
const height = 28;

/** Returns the points of a line through these values, oldest first, inside a box. */
export function linePoints(values: readonly number[], box: { readonly width: number; readonly height: number }): string {
  const max = Math.max(1, ...values);
  const step = box.width / Math.max(1, values.length - 1);
  return values
    .map((value, index) => `${(index * step).toFixed(1)},${(box.height - (value / max) * box.height).toFixed(1)}`)
    .join(' ');
}

/** How many people used a hashtag or shared a link on each of the last seven days, as a line. */
export function TagChart({ history }: { readonly history: History }) {
  const values = history.map(({ accounts }) => Number(accounts)).toReversed();
  const label = t('explore.chart', { values: values.join(', ') });
  return (
    <svg class="tag-chart" viewBox={`-2 -2 ${width + 4} ${height + 4}`} role="img" aria-label={label}>
      <polyline points={linePoints(values, { width, height })} />
    </svg>
  );
}

/** Returns how many people used it in the last two days. */
export const recentPeople = (history: History): number =>
  history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0);
