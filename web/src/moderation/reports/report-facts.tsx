import type { AdminReport } from '../../api/entities.ts';
import type { Load } from '../../ui/load.ts';
import { t } from '../../i18n/translate.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { DisplayName } from '../../ui/display-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { changeReport, forwardReport } from './decisions.ts';
import { Notes } from './notes.tsx';
import type { ReportDetails } from './report-page.tsx';

interface ReportFactsProps {
  readonly report: AdminReport;
  readonly details: Load<ReportDetails>;
  readonly onAssign: () => void;
  readonly onResolve: () => void;
  readonly onChange: (change: Promise<AdminReport>) => void;
}

/** Who reported what and why, and what happened to the report so far. */
export function ReportFacts({ report, details, onAssign, onResolve, onChange }: ReportFactsProps) {
  const { account: reporter, comment, rules, assigned_account: assignee, target_account: target } = report;
  return (
    <section class="section-box" aria-label={t('reports.facts')}>
      <div class="account-head">
        <Avatar account={reporter.account} size={40} />
        <div>
          <p class="small soft">{t('reports.reporter')}</p>
          <p>
            <a href={`/moderation/accounts/${reporter.id}`}>
              <DisplayName account={reporter.account} />
            </a>{' '}
            <span class="soft" dir="ltr">
              @{reporter.account.acct}
            </span>{' '}
            · <RelativeTime time={report.created_at} />
          </p>
        </div>
      </div>
      {comment === '' ? (
        <p class="soft">{t('reports.noComment')}</p>
      ) : (
        <blockquote class="report-comment" dir="auto">
          {comment}
        </blockquote>
      )}
      <p class="tags">
        <span class="tag warn">{t(`reports.${report.category}`)}</span>
        {report.action_taken && <span class="tag">{t('reports.resolvedState')}</span>}
        {report.forwarded && <span class="tag">{t('reports.forwarded')}</span>}
        <span class="tag">
          {assignee === null
            ? t('reports.assignedToNobody')
            : t('reports.assignedTo', { name: `@${assignee.account.acct}` })}
        </span>
      </p>
      {rules.length > 0 && (
        <ul>
          {rules.map((rule) => (
            <li key={rule.id}>{rule.text}</li>
          ))}
        </ul>
      )}
      <div class="buttons">
        {report.action_taken ? (
          <button type="button" class="button quiet" onClick={() => onChange(changeReport(report.id, 'reopen'))}>
            {t('reports.reopen')}
          </button>
        ) : (
          <button type="button" class="button quiet" aria-keyshortcuts="e" onClick={onResolve}>
            {t('reports.resolve')} <kbd aria-hidden="true">e</kbd>
          </button>
        )}
        <button type="button" class="button quiet" aria-keyshortcuts="a" onClick={onAssign}>
          {assignee === null ? t('reports.assign') : t('reports.unassign')} <kbd aria-hidden="true">a</kbd>
        </button>
        {target.domain !== null && !report.forwarded && (
          <button type="button" class="button quiet" onClick={() => onChange(forwardReport(report.id))}>
            {t('reports.forward', { domain: target.domain })}
          </button>
        )}
      </div>
      <Notes
        title={t('reports.notes')}
        path={`/api/v1/fieldfare/admin/reports/${report.id}/notes`}
        notes={details.value?.notes ?? []}
        onChange={(notes) => {
          if (details.value !== undefined) details.value = { ...details.value, notes: notes as ReportDetails['notes'] };
        }}
      />
    </section>
  );
}
