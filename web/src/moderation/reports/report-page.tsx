import { useSignal } from '@preact/signals';
import { request, requestPage } from '../../api/client.ts';
import type {
  AccountWarning,
  AdminReport,
  FieldfareAdminAccountNote,
  FieldfareReportedStatus,
  FieldfareReportNote,
} from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { openPath } from '../../navigate.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { can } from '../../session/permissions.ts';
import { changeReport, decisions, isPossible, type Decision, type ReportAnswer } from './decisions.ts';
import { DecisionPanel } from './decision-panel.tsx';
import { Evidence } from './evidence.tsx';
import { answerReport, closeReport, countOpen, currentQueue, neighbour, storeReport, undoLast } from './queue.ts';
import { ReportFacts } from './report-facts.tsx';
import { ReportedAccount } from './reported-account.tsx';
import { useShortcuts } from './shortcuts.ts';

/** What a moderator needs to know beside the report. */
export interface ReportDetails {
  readonly copies: readonly FieldfareReportedStatus[];
  readonly notes: readonly FieldfareReportNote[];
  readonly accountNotes: readonly FieldfareAdminAccountNote[];
  readonly strikes: readonly AccountWarning[];
  readonly others: readonly AdminReport[];
}

/** A report with its posts, the reported account and the reporter, and what can be done. */
export function ReportPage({ id = '' }: { readonly id?: string }) {
  return (
    <ModerationPage title={t('reports.title')} permissions={['manage_reports']} hasBack>
      <Report key={id} id={id} />
    </ModerationPage>
  );
}

function Report({ id }: { readonly id: string }) {
  const listed = currentQueue().items.value.find((report) => report.id === id);
  const loaded = useLoaded<AdminReport>(
    id,
    async (signal) => listed ?? request<AdminReport>('GET', `/api/v1/admin/reports/${id}`, { signal }),
  );
  const report = listed ?? loaded.value;
  if (report === undefined) return <NotLoaded of={loaded} count={3} />;
  return <OpenReport report={report} onChange={(changed) => (loaded.value = changed)} />;
}

interface OpenReportProps {
  readonly report: AdminReport;
  readonly onChange: (report: AdminReport) => void;
}

function OpenReport({ report, onChange }: OpenReportProps) {
  const details = useLoaded<ReportDetails>(report.id, () => loadDetails(report));
  const decision = useSignal<Decision | undefined>(undefined);
  const chosen = useSignal<readonly string[]>(report.statuses.map((status) => status.id));

  const go = (next: string | undefined): void =>
    openPath(next === undefined ? '/moderation/reports' : `/moderation/reports/${next}`);
  const move = (step: 1 | -1): void => {
    const next = neighbour(report.id, step);
    if (next === undefined) showToast(step === 1 ? t('reports.last') : t('reports.first'));
    else go(next);
  };
  const update = (changed: AdminReport): void => {
    storeReport(changed);
    onChange(changed);
  };
  const run = (change: Promise<AdminReport>): void => void change.then(update, showError);
  const leave = (): void => go(neighbour(report.id, 1, { isOpen: true }) ?? neighbour(report.id, -1, { isOpen: true }));
  const answer = async (message: Pick<ReportAnswer, 'text' | 'sendMail'>): Promise<void> => {
    if (decision.value === undefined) return;
    const answered = answerReport(report, { decision: decision.value, statusIds: chosen.value, ...message });
    leave();
    await answered;
  };
  const resolve = (): void => {
    if (report.action_taken) return;
    void closeReport(report);
    leave();
  };
  const assign = (): void =>
    run(changeReport(report.id, report.assigned_account === null ? 'assign_to_self' : 'unassign'));
  const choose = (one: Decision): void => {
    if (isPossible(one, report, chosen.value)) decision.value = one;
    else showToast(t(one === 'delete' ? 'reports.noPosts' : 'reports.onlyLocal'));
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: assign,
    e: resolve,
    u: () => void undoLast(),
    ...Object.fromEntries(decisions.map((one, index) => [String(index + 1), () => choose(one)])),
  });
  return (
    <>
      <div class="report-bar">
        <p class="soft small">{t('reports.open', { count: countOpen() })}</p>
        <div class="buttons">
          <button type="button" class="button quiet" onClick={() => move(-1)}>
            {t('reports.previous')} <kbd>k</kbd>
          </button>
          <button type="button" class="button quiet" onClick={() => move(1)}>
            {t('reports.next')} <kbd>j</kbd>
          </button>
        </div>
      </div>
      <div class="report">
        <div>
          {details.error !== undefined && <NotLoaded of={details} />}
          <ReportFacts report={report} details={details} onAssign={assign} onResolve={resolve} onChange={run} />
          <DecisionPanel
            options={decisions}
            disabled={decisions.filter((one) => !isPossible(one, report, chosen.value))}
            isLocal={report.target_account.domain === null}
            isReport
            statusIds={chosen.value}
            decision={decision.value}
            onChoose={choose}
            onCancel={() => (decision.value = undefined)}
            onConfirm={answer}
          />
          <Evidence report={report} copies={details.value?.copies ?? []} chosen={chosen} />
        </div>
        <div class="report-side">
          <ReportedAccount report={report} details={details} />
        </div>
      </div>
    </>
  );
}

async function loadDetails({ id, target_account: target }: AdminReport): Promise<ReportDetails> {
  const ofReport = `/api/v1/fieldfare/admin/reports/${id}`;
  const ofAccount = `/api/v1/fieldfare/admin/accounts/${target.id}`;
  const list = async <Item,>(path: string): Promise<readonly Item[]> => (await requestPage<Item>(path)).items;
  const [copies, notes, accountNotes, strikes, others] = await Promise.all([
    request<readonly FieldfareReportedStatus[]>('GET', `${ofReport}/statuses`),
    list<FieldfareReportNote>(`${ofReport}/notes`),
    can('manage_users', 'manage_reports') ? list<FieldfareAdminAccountNote>(`${ofAccount}/notes`) : [],
    list<AccountWarning>(`${ofAccount}/strikes`),
    list<AdminReport>(`/api/v1/admin/reports?target_account_id=${target.id}&resolved=true&unresolved=true&limit=20`),
  ]);
  return { copies, notes, accountNotes, strikes, others: others.filter((other) => other.id !== id) };
}
