import { useMemo } from 'preact/hooks';
import type { AdminReport } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { DisplayName } from '../../ui/display-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { defaultFilters, openQueue, toQuery } from './queue.ts';
import { useShortcuts } from './shortcuts.ts';

/** The report queue. */
export function ReportsPage() {
  return (
    <ModerationPage title={t('sections.reports')} permissions={['manage_reports']}>
      <Queue />
    </ModerationPage>
  );
}

const choices = (...options: readonly (readonly [value: string, label: string])[]) =>
  options.map(([value, label]) => ({ value, label }));

function Queue() {
  const of = useFilters(defaultFilters);
  const { values } = of;
  const list = useMemo(() => openQueue(values), [JSON.stringify(values)]);
  useShortcuts({ j: () => moveFocus(1), k: () => moveFocus(-1) });
  return (
    <>
      <FilterBar
        label={t('reports.filters')}
        of={of}
        filters={[
          {
            name: 'state',
            label: t('reports.state'),
            options: choices(
              ['unresolved', t('reports.unresolved')],
              ['resolved', t('reports.resolvedState')],
              ['all', t('moderation.all')],
            ),
          },
          {
            name: 'category',
            label: t('reports.category'),
            options: choices(
              ['', t('moderation.all')],
              ['spam', t('reports.spam')],
              ['legal', t('reports.legal')],
              ['violation', t('reports.violation')],
              ['other', t('reports.other')],
            ),
          },
          {
            name: 'origin',
            label: t('moderation.origin'),
            options: choices(
              ['', t('moderation.all')],
              ['local', t('moderation.local')],
              ['remote', t('moderation.remote')],
            ),
          },
          {
            name: 'assigned',
            label: t('reports.assigned'),
            options: choices(
              ['', t('moderation.all')],
              ['me', t('reports.assignedToMe')],
              ['nobody', t('reports.assignedToNobody')],
            ),
          },
        ]}
      />
      <p class="keys small soft">{t('reports.listKeys')}</p>
      <ItemList
        list={list}
        label={t('sections.reports')}
        empty={Object.keys(toQuery(values)).length === 0 ? t('reports.empty') : t('reports.noneMatch')}
        renderItem={(report) => <Row report={report} />}
      />
    </>
  );
}

function Row({ report }: { readonly report: AdminReport }) {
  const { target_account: target, account: reporter, comment, statuses, assigned_account: assignee } = report;
  return (
    <a class="item" href={`/moderation/reports/${report.id}`}>
      <Avatar account={target.account} size={40} />
      <div class="item-text">
        <p class="item-title">
          <DisplayName account={target.account} />{' '}
          <span class="soft" dir="ltr">
            @{target.account.acct}
          </span>
        </p>
        {comment !== '' && (
          <p class="item-excerpt" dir="auto">
            {comment}
          </p>
        )}
        <p class="small soft">
          {t('reports.reportedBy', { name: `@${reporter.account.acct}` })} · <RelativeTime time={report.created_at} />
        </p>
      </div>
      <span class="tags">
        {report.action_taken && <span class="tag">{t('reports.resolvedState')}</span>}
        {assignee !== null && <span class="tag">{`@${assignee.account.acct}`}</span>}
        {statuses.length > 0 && <span class="tag">{t('reports.posts', { count: statuses.length })}</span>}
        <span class="tag warn">{t(`reports.${report.category}`)}</span>
      </span>
    </a>
  );
}

/** Moves the focus among the rows. */
function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.items a.item')];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}
