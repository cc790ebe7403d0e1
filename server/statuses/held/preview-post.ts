import type { RemoteStatus } from '../remote/remote-status.ts';
import type { NewStatus } from '../post/insert-status.ts';
import type { HeldPreview } from '../tables.ts';
import type { PostToHold } from './hold-post.ts';

/** Returns what the author and staff see of a held local post. */
export const previewLocalPost = ({
  status,
  formatted,
  mediaIds,
  poll,
}: Omit<PostToHold, 'post' | 'verdict'>): HeldPreview => ({
  ...previewStatus(status),
  text: status.text,
  tags: [...new Set(formatted.tagNames)],
  mediaIds: [...new Set(mediaIds)],
  media: [],
  poll: poll === undefined ? null : { options: poll.options, multiple: poll.multiple },
});

/** Returns what staff see of a held remote post. */
export const previewRemotePost = (
  { attachments = [], tags = [], poll, article }: RemoteStatus,
  status: NewStatus,
): HeldPreview => ({
  ...previewStatus(status),
  text: '',
  content: status.content + (article?.content ?? ''),
  tags,
  mediaIds: [],
  media: attachments.map(({ url, description }) => ({ url, description: description ?? null })),
  poll: poll === undefined ? null : { options: poll.options.map(({ title }) => title), multiple: poll.multiple },
});

const previewStatus = (status: NewStatus) => ({
  content: status.content,
  spoilerText: status.spoilerText,
  visibility: status.visibility,
  sensitive: status.sensitive,
  language: status.language,
  inReplyToId: status.inReplyToId,
  inReplyToAccountId: status.inReplyToAccountId,
  mentionedIds: status.mentions.filter(({ silent }) => !silent).map(({ accountId }) => accountId),
});
