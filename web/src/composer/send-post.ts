import { request } from '../api/client.ts';
import type { ScheduledStatus, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { holdPost, sendOrQueue, type Action, type HeldPost } from '../offline/index.ts';
import { settings } from '../session/settings.ts';
import { showError, showToast } from '../ui/toasts.tsx';
import { sendLater } from '../ui/undo.ts';
import type { Composed, ComposedPost } from './composed.ts';
import { reopen } from './reopen.ts';
import { showPublished } from './show-published.ts';

/** A finished request for a post, a thread, a scheduled post or an edit. */
export interface PostRequest {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object;
  readonly idempotencyKey: string;
}

/** What the server made of a post: one status, those of a thread in order, or a scheduled status. */
export type Published = readonly (Status | ScheduledStatus)[];

/**
 * Sends a post, and returns what was created; `queued` if it is in the outbox, which sends it when its author can no longer
 * undo it, or when the server can be reached. Scheduled posts and edits are sent at once and never queued: their author can
 * change them afterwards, their time may pass, or the post may change meanwhile. Another attempt with the same key publishes
 * nothing twice. Throws ApiError or OfflineError.
 */
export async function sendPost(post: PostRequest, composed: Composed): Promise<Published | 'queued'> {
  const { method, path, body, idempotencyKey } = post;
  type Result = Status | ScheduledStatus | readonly Status[];
  if (method === 'PUT' || 'scheduled_at' in body)
    return listOf(await request<Result>(method, path, { body, idempotencyKey }));
  const action: Action = { kind: 'post', ...post, post: queuedPost(composed) };
  if (!settings.peek().composer.sendsAtOnce) {
    // Rejects where the browser stores nothing, such as in private windows.
    const held = await holdPost(action).catch(() => undefined);
    if (held !== undefined) {
      void sendUnlessUndone(held, idempotencyKey, composed).catch(showError);
      return 'queued';
    }
  }
  const result = await sendOrQueue<Result>(action);
  if (result !== undefined) return listOf(result);
  showToast(t('composer.queued'));
  return 'queued';
}

const listOf = <Item>(result: Item | readonly Item[]): readonly Item[] =>
  Array.isArray(result) ? (result as readonly Item[]) : [result as Item];

/** Sends a held post when the time to undo it is over. If its author undoes it, the composer opens as it was. */
const sendUnlessUndone = (held: HeldPost, key: string, composed: Composed): Promise<unknown> =>
  sendLater(
    t('composer.sendingSoon'),
    async (mayBeSent) => {
      if (!(await mayBeSent)) return reopen(key, composed, held.withdraw);
      const [first] = await held.send();
      return first && showPublished(first);
    },
    t('composer.sendNow'),
  );

const queuedPost = (composed: Composed) => ({
  parts: composed.posts.map(queuedPart),
  inReplyToId: composed.inReplyToId,
  composed,
  draftId: composed.draft?.id,
});

const queuedPart = ({ key, text, hasWarning, warning, media, poll }: ComposedPost) => ({
  key,
  text,
  warning: hasWarning ? warning : '',
  images: media.flatMap(({ attachment, description }) =>
    attachment?.preview_url == null ? [] : [{ url: attachment.preview_url, description }],
  ),
  options: poll?.options.filter((option) => option.trim() !== '') ?? [],
});
