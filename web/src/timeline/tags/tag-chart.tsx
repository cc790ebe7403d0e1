import { t } from '../../i18n/translate.tsx';
import { linePoints, type History } from './tag-history.ts';
import './tag-chart.css';

const width = 72;
const height = 28;

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
