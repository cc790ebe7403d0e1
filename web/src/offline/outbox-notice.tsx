import { t } from '../i18n/translate.tsx';
import { confirm } from '../ui/confirm.tsx';
import { showError } from '../ui/toasts.tsx';
import { discard, queuedActions, retryRefused, type QueuedAction } from './outbox.ts';
import './outbox-notice.css';

/** Shows what waits to be sent, and asks what to do with an action that the server refused. */
export function OutboxNotice() {
  const actions = queuedActions.value;
  const [first] = actions;
  if (first === undefined) return null;
  return (
    <section class="outbox" aria-label={t('outbox.title')}>
      {first.refusal === undefined ? <Waiting actions={actions} /> : <Refused action={first} text={first.refusal} />}
    </section>
  );
}

function Waiting({ actions }: { readonly actions: readonly QueuedAction[] }) {
  const texts = actions.filter(({ summary = '' }) => summary !== '');
  return (
    <>
      <p role="status">{t('outbox.waiting', { count: actions.length })}</p>
      {texts.length > 0 && (
        <ul>
          {texts.map(({ order, summary }) => (
            <li key={order} dir="auto">
              {summary}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Refused({ action, text }: { readonly action: QueuedAction; readonly text: string }) {
  return (
    <>
      <p role="alert">{t('outbox.refused', { reason: text })}</p>
      {action.summary !== undefined && <blockquote dir="auto">{action.summary}</blockquote>}
      <div class="outbox-buttons">
        <button type="button" class="button" onClick={() => void retryRefused(action).catch(showError)}>
          {t('app.tryAgain')}
        </button>
        <button type="button" class="button quiet" onClick={() => void askAndDiscard(action)}>
          {t('outbox.discard')}
        </button>
      </div>
    </>
  );
}

async function askAndDiscard(action: QueuedAction): Promise<void> {
  if (action.kind === 'post' && !(await confirmDiscard())) return;
  await discard(action).catch(showError);
}

const confirmDiscard = (): Promise<boolean> =>
  confirm({ title: t('outbox.discardTitle'), text: t('outbox.discardHint'), action: t('outbox.discard') });
