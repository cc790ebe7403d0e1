import { request } from '../../api/client.ts';
import type { AdminCohort, AdminDimension, AdminMeasure } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { Chart } from './chart.tsx';
import '../servers/table.css';

const measures = ['active_users', 'new_users', 'interactions', 'opened_reports', 'resolved_reports'] as const;
const dimensions = ['languages', 'sources', 'servers', 'space_usage', 'software_versions'] as const;
const days = 30;
const dayMs = 86_400_000;

interface Figures {
  readonly measures: readonly AdminMeasure[];
  readonly dimensions: readonly AdminDimension[];
  readonly cohorts: readonly AdminCohort[];
}

async function loadFigures(): Promise<Figures> {
  const now = Date.now();
  const range = {
    start_at: new Date(now - (days - 1) * dayMs).toISOString().slice(0, 10),
    end_at: new Date(now).toISOString().slice(0, 10),
  };
  const cohorts = {
    start_at: new Date(now - 150 * dayMs).toISOString().slice(0, 10),
    end_at: range.end_at,
    frequency: 'month',
  };
  const [ofMeasures, ofDimensions, ofCohorts] = await Promise.all([
    request<readonly AdminMeasure[]>('POST', '/api/v1/admin/measures', { body: { keys: measures, ...range } }),
    request<readonly AdminDimension[]>('POST', '/api/v1/admin/dimensions', {
      body: { keys: dimensions, ...range, limit: 6 },
    }),
    request<readonly AdminCohort[]>('POST', '/api/v1/admin/retention', { body: cohorts }),
  ]);
  return { measures: ofMeasures, dimensions: ofDimensions, cohorts: ofCohorts };
}

/** The figures of the last 30 days. */
export function Dashboard() {
  const figures = useLoaded<Figures>('', () => loadFigures());
  if (figures.value === undefined) return <NotLoaded of={figures} count={3} />;
  const { measures: charts, dimensions: lists, cohorts } = figures.value;
  return (
    <>
      <section class="section-box">
        <h2>{t('measures.title')}</h2>
        <div class="charts">
          {measures.map((key) => {
            const measure = charts.find((one) => one.key === key);
            return measure && <Chart key={key} title={t(`measures.${key}`)} measure={measure} />;
          })}
        </div>
      </section>
      <section class="section-box">
        <h2>{t('measures.dimensions')}</h2>
        <div class="dimensions">
          {dimensions.map((key) => {
            const rows = lists.find((one) => one.key === key)?.data ?? [];
            return (
              <table key={key} class="table">
                <caption>{t(`measures.${key}`)}</caption>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.key}>
                      <th scope="row">{row.human_key}</th>
                      <td class="number">{row.human_value ?? row.value}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            );
          })}
        </div>
      </section>
      <Retention cohorts={cohorts} />
    </>
  );
}

/** How many users of each month are still active in the months after it. */
function Retention({ cohorts }: { readonly cohorts: readonly AdminCohort[] }) {
  const longest = Math.max(0, ...cohorts.map(({ data }) => data.length));
  return (
    <section class="section-box">
      <h2>{t('measures.retention')}</h2>
      <div class="scroll">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t('measures.month')}</th>
              <th scope="col">{t('measures.new_users')}</th>
              {Array.from({ length: Math.max(longest - 1, 0) }, (_, index) => (
                <th key={index} scope="col">
                  {t('measures.monthNumber', { number: index + 1 })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map(({ period, data }) => (
              <tr key={period}>
                <th scope="row">{period.slice(0, 7)}</th>
                <td class="number">{formatCount(Number(data[0]?.value ?? 0))}</td>
                {data.slice(1).map(({ date, rate }) => (
                  <td key={date} class="number">
                    {Math.round(rate * 100)} %
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
