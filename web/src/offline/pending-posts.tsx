import clock from '@phosphor-icons/core/regular/clock.svg?raw';
import { reopenComposer } from '../composer/index.ts';
import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { confirm } from '../ui/confirm.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { showError, showToast } from '../ui/toasts.tsx';
import { discard, queuedPosts, type QueuedAction, type QueuedPart } from './outbox.ts';
import './pending-posts.css';

/** Returns why an action is still queued, in words. */
export function describeQueued({ refusal, isOutdated = false, isHeld = false }: QueuedAction): string {
  if (isHeld) return t('outbox.held');
  if (isOutdated) return t('outbox.outdated');
  return refusal === undefined ? t('outbox.pending') : t('outbox.refused', { reason: refusal });
}

/** Shows the posts that wait to be sent, newest first. `repliesTo`: only the replies to these posts, oldest first. */
export function PendingPosts({ repliesTo }: { readonly repliesTo?: readonly string[] }) {
  const posts =
    repliesTo === undefined
      ? queuedPosts.value.toReversed()
      : queuedPosts.value.filter(({ post }) => repliesTo.includes(post?.inReplyToId ?? ''));
  return (
    <>
      {posts.map((action) => (
        <PendingPost key={action.order} action={action} />
      ))}
    </>
  );
}

function PendingPost({ action }: { readonly action: QueuedAction }) {
  const account = me.value;
  return (
    <article class="pending-post" aria-label={t('outbox.pendingPost')}>
      <Avatar account={account} size={40} />
      <div class="pending-body">
        <strong>
          <DisplayName account={account} />
        </strong>
        {action.post?.parts.map((part) => (
          <Part key={part.key} part={part} />
        ))}
        <p class="pending-state soft small">
          <Icon svg={clock} />
          {describeQueued(action)}
        </p>
        {action.isHeld !== true && (
          <p class="outbox-buttons">
            <EditButton action={action} />
            <button type="button" class="button quiet" onClick={() => void askAndDiscard(action).catch(showError)}>
              {t('outbox.discard')}
            </button>
          </p>
        )}
      </div>
    </article>
  );
}

function Part({ part: { text, warning, images, options } }: { readonly part: QueuedPart }) {
  return (
    <>
      {warning !== '' && (
        <p class="pending-text soft" dir="auto">
          {warning}
        </p>
      )}
      <p class="pending-text" dir="auto">
        {text}
      </p>
      {images.length > 0 && (
        <p class="pending-images">
          {images.map(({ url, description }) => (
            <img key={url} src={url} alt={description} />
          ))}
        </p>
      )}
      {options.length > 0 && (
        <ul>
          {options.map((option) => (
            <li key={option} dir="auto">
              {option}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Takes a post out of the outbox and opens it in the composer. */
export function EditButton({ action }: { readonly action: QueuedAction }) {
  const edit = async (): Promise<void> => {
    const { post, idempotencyKey } = action;
    if (post === undefined || idempotencyKey === undefined) throw new Error('the action publishes no post');
    if (!(await reopenComposer(idempotencyKey, post.composed, () => discard(action))))
      showToast(t('outbox.sentMeanwhile'));
  };
  return (
    <button type="button" class="button" onClick={() => void edit().catch(showError)}>
      {t('outbox.edit')}
    </button>
  );
}

/** Discards an action, a post only after a question. */
export async function askAndDiscard(action: QueuedAction): Promise<void> {
  const question = { title: t('outbox.discardTitle'), text: t('outbox.discardHint'), action: t('outbox.discard') };
  if (action.kind === 'post' && !(await confirm(question))) return;
  if (!(await discard(action))) showToast(t('outbox.sentMeanwhile'));
}
