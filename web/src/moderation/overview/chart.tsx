import type { AdminMeasure } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { findTrend, toPoints } from './chart-points.ts';
import './chart.css';

interface ChartProps {
  readonly title: string;
  readonly measure: AdminMeasure;
}

const width = 240;
const height = 56;

/** A measure as a number with a line of its days. The days are also a table, for screen readers. */
export function Chart({ title, measure }: ChartProps) {
  const { total, previous_total: previous, human_value: human, data } = measure;
  const trend = previous === undefined ? undefined : findTrend(Number(total), Number(previous));
  return (
    <figure class="chart">
      <figcaption>
        <span class="soft small">{title}</span>
        <strong>{human ?? formatCount(Number(total))}</strong>
        {trend !== undefined && (
          <span class="small soft">
            {trend > 0 ? t('measures.up', { percent: trend }) : t('measures.down', { percent: -trend })}
          </span>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline
          points={toPoints(
            data.map(({ value }) => Number(value)),
            { width, height },
          )}
        />
      </svg>
      <details>
        <summary class="small">{t('measures.table')}</summary>
        <table class="table">
          <caption class="visually-hidden">{title}</caption>
          <tbody>
            {data.map(({ date, value }) => (
              <tr key={date}>
                <th scope="row">{date.slice(0, 10)}</th>
                <td class="number">{formatCount(Number(value))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
