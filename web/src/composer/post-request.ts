import { durationOf } from './posted-poll.ts';
import { isBlank, newKey, type Composed, type ComposedMedia, type ComposedPost, type ReplyPolicy } from './composed.ts';
import type { PostRequest } from './send-post.ts';

/** Returns the request that publishes, schedules or edits what was composed. */
export function postRequest(composed: Composed, now = Date.now()): Omit<PostRequest, 'idempotencyKey'> {
  const { editedId, inReplyToId, scheduledAt } = composed;
  const posts = composed.posts.filter((post) => !isBlank(post) || composed.posts.length === 1);
  const [first] = posts;
  if (first === undefined) throw new Error('there is nothing to post');
  if (editedId !== undefined) return { method: 'PUT', path: editPath(editedId), body: editBody(composed, first) };
  if (posts.length > 1) {
    const body = {
      posts: posts.map((post, index) => postBody(composed, post, index === 0)),
      ...(inReplyToId !== undefined && { in_reply_to_id: inReplyToId }),
    };
    return { method: 'POST', path: '/api/v1/fieldfare/threads', body };
  }
  const body = {
    ...postBody(composed, first, true),
    ...(inReplyToId !== undefined && { in_reply_to_id: inReplyToId }),
    ...(scheduledAt !== '' && Date.parse(scheduledAt) > now && { scheduled_at: new Date(scheduledAt).toISOString() }),
  };
  return { method: 'POST', path: '/api/v1/statuses', body };
}

/** Returns the request that stores what was composed as a draft. */
export function draftBody(composed: Composed): object {
  const { inReplyToId, posts, draft } = composed;
  return {
    posts: posts.map((post, index) => postBody(composed, post, index === 0)),
    ...(inReplyToId !== undefined && { in_reply_to_id: inReplyToId }),
    ...(draft !== undefined && { version: draft.version }),
  };
}

/** Returns the key of an attempt: that of the last one if it had the same content. */
export function nextAttempt(
  { attempt }: Composed,
  { path, body }: Pick<PostRequest, 'path' | 'body'>,
): { body: string; key: string } {
  const content = JSON.stringify([path, body]);
  return attempt?.body === content ? attempt : { body: content, key: newKey() };
}

function postBody(composed: Composed, post: ComposedPost, isFirst: boolean): object {
  const { visibility, isLocalOnly, quotePolicy, replyPolicy, contentType, language, quotedId } = composed;
  return {
    ...textBody(post),
    visibility,
    ...(visibility !== 'direct' && isLocalOnly !== undefined && { local_only: isLocalOnly }),
    content_type: contentType,
    quote_approval_policy: quotePolicy,
    ...(language !== '' && { language }),
    ...(isFirst && quotedId !== undefined && { quoted_status_id: quotedId }),
    ...(replyPolicy !== 'default' && { interaction_policy: { can_reply: replyRules(replyPolicy) } }),
    ...pollBody(post),
  };
}

/** Returns the request that describes a file of a published post, and leaves everything else of the post as it is. */
export function descriptionRequest(
  composed: Composed,
  mediaId: string,
  description: Pick<ComposedMedia, 'description' | 'focus'>,
): Pick<PostRequest, 'path' | 'body'> {
  const [post] = composed.posts;
  if (post === undefined || composed.editedId === undefined) throw new Error('no published post is edited');
  const media = post.media.map((one) =>
    one.attachment?.id === mediaId ? { ...one, ...description, isChanged: true } : one,
  );
  return { path: editPath(composed.editedId), body: contentBody(composed, { ...post, media }) };
}

const editPath = (id: string): string => `/api/v1/statuses/${id}`;

const editBody = (composed: Composed, post: ComposedPost): object => ({
  ...contentBody(composed, post),
  ...(composed.quotePolicy !== composed.postedQuotePolicy && { quote_approval_policy: composed.quotePolicy }),
});

function contentBody({ contentType, language }: Composed, post: ComposedPost): object {
  return {
    ...textBody(post),
    content_type: contentType,
    ...(language !== '' && { language }),
    media_attributes: post.media.flatMap(({ attachment, description, focus, isChanged, isPosted }) =>
      attachment !== undefined && isPosted && isChanged
        ? [{ id: attachment.id, description, focus: `${focus.x},${focus.y}` }]
        : [],
    ),
    ...pollBody(post),
  };
}

function textBody({ text, hasWarning, warning, isSensitive, media }: ComposedPost): object {
  return {
    status: text,
    spoiler_text: hasWarning ? warning : '',
    sensitive: isSensitive || (hasWarning && warning.trim() !== ''),
    media_ids: media.flatMap(({ attachment }) => attachment?.id ?? []),
  };
}

function pollBody({ poll }: ComposedPost): object {
  if (poll === undefined) return {};
  const duration = durationOf(poll);
  return {
    poll: {
      options: poll.options.filter((option) => option.trim() !== ''),
      multiple: poll.isMultiple,
      ...(poll.hidesTotals !== undefined && { hide_totals: poll.hidesTotals }),
      ...(duration !== undefined && { expires_in: duration }),
    },
  };
}

function replyRules(policy: Exclude<ReplyPolicy, 'default'>): object {
  switch (policy) {
    case 'public':
      return { automatic_approval: ['public'], manual_approval: [] };
    case 'followers':
      return { automatic_approval: ['followers', 'following', 'mentioned'], manual_approval: [] };
    case 'following':
      return { automatic_approval: ['following', 'mentioned'], manual_approval: [] };
    case 'mentioned':
      return { automatic_approval: ['mentioned'], manual_approval: [] };
  }
}
