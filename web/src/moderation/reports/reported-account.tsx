import type { AdminReport } from '../../api/entities.ts';
import type { Load } from '../../ui/load.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AccountFacts } from '../accounts/account-facts.tsx';
import { Strikes } from '../accounts/strikes.tsx';
import { Notes } from './notes.tsx';
import type { ReportDetails } from './report-page.tsx';

interface ReportedAccountProps {
  readonly report: AdminReport;
  readonly details: Load<ReportDetails>;
}

/** The reported account with its history: strikes, notes and other reports. */
export function ReportedAccount({ report, details }: ReportedAccountProps) {
  const { target_account: target } = report;
  const { strikes = [], accountNotes = [], others = [] } = details.value ?? {};
  return (
    <>
      <section class="section-box" aria-label={t('reports.reportedAccount')}>
        <h2>{t('reports.reportedAccount')}</h2>
        <AccountFacts account={target} />
        <Notes
          title={t('staffAccounts.notes')}
          path={`/api/v1/fieldfare/admin/accounts/${target.id}/notes`}
          notePath="/api/v1/fieldfare/admin/account_notes"
          notes={accountNotes}
          onChange={(notes) => {
            if (details.value !== undefined)
              details.value = { ...details.value, accountNotes: notes as ReportDetails['accountNotes'] };
          }}
        />
      </section>
      <section class="section-box" aria-label={t('staffAccounts.strikes')}>
        <h2>{t('staffAccounts.strikes')}</h2>
        <Strikes strikes={strikes} />
      </section>
      <section class="section-box" aria-label={t('reports.others')}>
        <h2>{t('reports.others')}</h2>
        {others.length === 0 && <p class="soft">{t('reports.noOthers')}</p>}
        <ul class="notes">
          {others.map((other) => (
            <li key={other.id}>
              <a href={`/moderation/reports/${other.id}`}>
                {other.comment === '' ? t('reports.withoutComment') : other.comment}
              </a>
              <span class="small soft">
                {' '}
                {t(`reports.${other.category}`)} ·{' '}
                {other.action_taken ? t('reports.resolvedState') : t('reports.unresolved')} ·{' '}
                <RelativeTime time={other.created_at} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
