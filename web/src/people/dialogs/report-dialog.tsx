import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Report } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { instance } from '../../session/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOf } from '../../ui/display-name.tsx';
import { describeError } from '../../ui/toasts.tsx';
import { domainOf } from '../domain-of.ts';
import type { ReportTarget } from './open-dialogs.tsx';
import { isStepComplete, emptyDraft, stepsOf, toReportInput, type ReportDraft } from './report-draft.ts';
import { CategoryStep, CommentStep, RulesStep } from './report-steps.tsx';
import { ReportPosts } from './report-posts.tsx';
import { ReportSent } from './report-sent.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';
import '../../ui/choices.css';

/** A report to the staff in steps: why, which rules, which posts, and a comment. Afterwards it offers to mute and block. */
export function ReportDialog({
  account,
  statusIds = [],
  collectionIds = [],
  onClose,
}: ReportTarget & { readonly onClose: () => void }) {
  const draft = useSignal<ReportDraft>(emptyDraft(statusIds, collectionIds));
  const at = useSignal(0);
  const problem = useSignal('');
  const isSent = useSignal(false);
  const body = useRef<HTMLDivElement>(null);
  const steps = stepsOf(draft.value);
  const step = steps[at.value] ?? 'comment';
  const isLast = at.value === steps.length - 1;
  useEffect(() => body.current?.focus(), [step, isSent.value]);
  const change = (changes: Partial<ReportDraft>): void => void (draft.value = { ...draft.value, ...changes });
  const [send, isSending] = useSingleRun(async () => {
    problem.value = '';
    try {
      await request<Report>('POST', '/api/v1/reports', { body: toReportInput(account.id, draft.value) });
      isSent.value = true;
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  const goOn = (): void => {
    problem.value = isStepComplete(step, draft.value) ? '' : t('report.chooseFirst');
    if (problem.value !== '') return;
    if (isLast) void send();
    else at.value += 1;
  };
  const name = nameOf(account);
  if (isSent.value)
    return (
      <Dialog title={t('report.sentTitle')} onClose={onClose}>
        <div ref={body} tabIndex={-1}>
          <ReportSent account={account} onClose={onClose} />
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title={t('report.title', { name })}
      onClose={onClose}
      actions={
        <>
          {at.value > 0 && (
            <button type="button" class="button quiet" onClick={() => (at.value -= 1)}>
              {t('app.back')}
            </button>
          )}
          <button type="button" class="button" disabled={isSending} onClick={goOn}>
            {isLast ? t('report.send') : t('report.next')}
          </button>
        </>
      }
    >
      <div ref={body} tabIndex={-1}>
        <p class="soft small">{t('report.step', { step: at.value + 1, steps: steps.length })}</p>
        {step === 'category' && <CategoryStep draft={draft.value} change={change} />}
        {step === 'rules' && <RulesStep draft={draft.value} change={change} rules={instance.value?.rules ?? []} />}
        {step === 'posts' && <ReportPosts account={account} draft={draft.value} change={change} />}
        {step === 'comment' && <CommentStep draft={draft.value} change={change} domain={domainOf(account)} />}
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </div>
    </Dialog>
  );
}
