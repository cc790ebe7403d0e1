import { t } from '../i18n/translate.tsx';
import { showError } from '../ui/toasts.tsx';
import { retryRefused, type QueuedAction, waitingActions } from './outbox.ts';
import { askAndDiscard, describeQueued, EditButton } from './pending-posts.tsx';
import './outbox-notice.css';

/** Shows what waits to be sent, and asks what to do with an action that the server refused. */
export function OutboxNotice() {
  const actions = waitingActions.value;
  const [first] = actions;
  if (first === undefined) return null;
  return (
    <section class="outbox" aria-label={t('outbox.title')}>
      {first.refusal === undefined && first.isOutdated !== true ? (
        <p role="status">{t('outbox.waiting', { count: actions.length })}</p>
      ) : (
        <Refused action={first} />
      )}
    </section>
  );
}

function Refused({ action }: { readonly action: QueuedAction }) {
  const summary = action.post?.parts[0]?.text ?? action.summary;
  return (
    <>
      <p role="alert">{describeQueued(action)}</p>
      {summary !== undefined && <blockquote dir="auto">{summary}</blockquote>}
      <div class="outbox-buttons">
        <button type="button" class="button" onClick={() => void retryRefused(action).catch(showError)}>
          {t('app.tryAgain')}
        </button>
        {action.post !== undefined && <EditButton action={action} />}
        <button type="button" class="button quiet" onClick={() => void askAndDiscard(action).catch(showError)}>
          {t('outbox.discard')}
        </button>
      </div>
    </>
  );
}
