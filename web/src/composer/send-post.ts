import { request } from '../api/client.ts';
import type { ScheduledStatus, Status } from '../api/entities.ts';
import { sendOrQueue } from '../offline/index.ts';
import type { Composed, ComposedPost } from './composed.ts';

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
 * Sends a post, and returns what was created; `queued` if the server cannot be reached, and the outbox sends it later.
 * Scheduled posts and edits are never queued: their time may pass, or the post may change meanwhile. Another attempt with
 * the same key publishes nothing twice. Throws ApiError or OfflineError.
 */
export async function sendPost(post: PostRequest, composed: Composed): Promise<Published | 'queued'> {
  const { method, path, body, idempotencyKey } = post;
  type Result = Status | ScheduledStatus | readonly Status[];
  const isQueued = method === 'POST' && !('scheduled_at' in body);
  const result = isQueued
    ? await sendOrQueue<Result>({ kind: 'post', ...post, post: queuedPost(composed) })
    : await request<Result>(method, path, { body, idempotencyKey });
  if (result === undefined) return 'queued';
  return Array.isArray(result) ? (result as readonly Status[]) : [result as Status | ScheduledStatus];
}

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
