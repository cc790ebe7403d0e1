import dots from '@phosphor-icons/core/regular/dots-three.svg?raw';
import { request, withQuery } from '../../api/client.ts';
import type { FieldfareAdminJob, FieldfareAdminJobCount } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { can } from '../../session/permissions.ts';
import { refreshStaffCounts } from '../../unread/index.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { StateCounts } from './state-counts.tsx';
import { type Pages, usePages } from '../../store/pages.ts';

const path = '/api/v1/fieldfare/admin/jobs';

/** The stored work that the server does in the background, and what failed. */
export function JobsPage() {
  return (
    <ModerationPage title={t('sections.jobs')} permissions={['view_devops']}>
      <Jobs />
    </ModerationPage>
  );
}

const states = ['waiting', 'running', 'retrying', 'exhausted'] as const;

function Jobs() {
  const of = useFilters({ state: '', queue: '', name: '' });
  const { values } = of;
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const list = usePages<FieldfareAdminJob>(withQuery(path, query));
  const counts = useLoaded<readonly FieldfareAdminJobCount[]>(`${path}/counts`);
  const reload = async (): Promise<void> => {
    await Promise.all([list.load(), counts.load(), refreshStaffCounts()]);
  };
  return (
    <>
      {counts.error !== undefined && <NotLoaded of={counts} />}
      <Counts counts={counts.value ?? []} onRetryAll={() => void retryAll(reload)} />
      <FilterBar
        label={t('moderation.filters')}
        of={of}
        filters={[
          {
            name: 'state',
            label: t('jobs.state'),
            options: [
              { value: '', label: t('moderation.all') },
              ...states.map((state) => ({ value: state, label: t(`jobState.${state}`) })),
            ],
          },
          { name: 'queue', label: t('jobs.queue') },
          { name: 'name', label: t('jobs.name') },
        ]}
      />
      <ItemList
        list={list}
        label={t('sections.jobs')}
        empty={t('jobs.empty')}
        renderItem={(job) => <Job job={job} list={list} onChanged={() => void reload()} />}
      />
    </>
  );
}

interface CountsProps {
  readonly counts: readonly FieldfareAdminJobCount[];
  readonly onRetryAll: () => void;
}

function Counts({ counts, onRetryAll }: CountsProps) {
  if (counts.length === 0) return null;
  const hasFailed = counts.some(({ state }) => state === 'retrying' || state === 'exhausted');
  return (
    <div class="section-box">
      <StateCounts
        nameLabel={t('jobs.queue')}
        rows={counts.map(({ queue, state, jobs, first_due_at: firstDueAt }) => ({
          name: queue,
          state,
          count: jobs,
          firstDueAt,
        }))}
      />
      {hasFailed && can('manage_settings') && (
        <div class="buttons">
          <button type="button" class="button" onClick={onRetryAll}>
            {t('jobs.retryAll')}
          </button>
        </div>
      )}
    </div>
  );
}

async function retryAll(onChanged: () => Promise<void>): Promise<void> {
  try {
    await request('POST', `${path}/retry`);
    showToast(t('jobs.retried'));
    await onChanged();
  } catch (error) {
    showError(error, () => void retryAll(onChanged));
  }
}

interface JobProps {
  readonly job: FieldfareAdminJob;
  readonly list: Pages<FieldfareAdminJob>;
  readonly onChanged: () => void;
}

function Job({ job, list, onChanged }: JobProps) {
  const { id, name, queue, reactions, state, host, attempts, last_error: error } = job;
  const title = reactions?.join(', ') ?? name;
  const retry = (): void =>
    void request('POST', `${path}/${id}/retry`).then(() => {
      showToast(t('jobs.retried'));
      onChanged();
    }, showError);
  const discard = async (): Promise<void> => {
    if (!(await confirm({ title, text: t('jobs.deleteText'), action: t('jobs.delete') }))) return;
    const restore = list.removeWhere((one) => one.id === id);
    await request('DELETE', `${path}/${id}`).then(onChanged, (failure: unknown) => {
      restore();
      showError(failure);
    });
  };
  return (
    <div class="item">
      <div class="item-text">
        <p class="item-title">
          <bdi>{title}</bdi> <span class={state === 'exhausted' ? 'tag warn' : 'tag'}>{t(`jobState.${state}`)}</span>
        </p>
        <p class="small soft">
          <bdi>{[queue, host].filter(Boolean).join(' · ')}</bdi> · {t('jobs.attempts', { number: attempts })} ·{' '}
          <RelativeTime time={job.run_at} />
        </p>
        {error !== null && (
          <p class="small problem" dir="auto">
            {error.split('\n', 1)[0]}
          </p>
        )}
      </div>
      {state !== 'running' && can('manage_settings') && (
        <Menu
          label={t('moderation.actionsFor', { name: title })}
          button={<Icon svg={dots} />}
          items={[
            error === null ? undefined : { label: t('jobs.retry'), onSelect: retry },
            { label: t('jobs.delete'), isDangerous: true, onSelect: () => void discard() },
          ]}
        />
      )}
    </div>
  );
}
