import { locale, t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import '../servers/table.css';

/** How much of something is in a state. */
interface StateCount {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'retrying' | 'paused' | 'exhausted';
  readonly count: number;
  readonly firstDueAt: string | null;
}

/** A table of how much work waits, runs or failed. `nameLabel`: the heading of the names. */
export function StateCounts({ nameLabel, rows }: { readonly nameLabel: string; readonly rows: readonly StateCount[] }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{nameLabel}</th>
          <th scope="col">{t('jobs.state')}</th>
          <th scope="col" class="number">
            {t('jobs.number')}
          </th>
          <th scope="col">{t('jobs.due')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, state, count, firstDueAt }) => (
          <tr key={`${name} ${state}`}>
            <td>
              <bdi>{name}</bdi>
            </td>
            <td class={state === 'exhausted' ? 'problem' : ''}>{t(`jobState.${state}`)}</td>
            <td class="number">{count.toLocaleString(locale.value)}</td>
            <td>{firstDueAt !== null && <RelativeTime time={firstDueAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
