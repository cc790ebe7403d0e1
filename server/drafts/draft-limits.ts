import type { FieldError } from '../platform/http/http-errors.ts';
import { message, type Message } from '../platform/i18n/message.ts';
import { pollLimits } from '../polls/index.ts';
import { assertPosts, type ThreadPost } from '../statuses/thread/index.ts';
import { exceedsLimit, isTooLarge } from '../text/index.ts';

/** Maximum number of drafts of an account. */
export const maxDrafts = 100;
/** Maximum number of files in all drafts of an account. */
export const maxDraftFiles = 200;
/** Characters of the text and content warning of one post, where a link counts 23. Longer than a post may be: people shorten drafts. */
export const maxDraftTextLength = 2_000;
const maxMentions = 100;

/** The content of a draft, as the client sent it. */
export interface DraftContent {
  readonly posts: readonly ThreadPost[];
  readonly inReplyToId?: string | undefined;
}

/** Throws 422 that names each invalid field, such as `posts[2].language`. A draft may be incomplete, but not endless. */
export const assertDraftContent = (content: DraftContent): void => assertPosts(content, checkLengths);

function checkLengths({ text = '', spoiler_text: spoilerText = '', poll, allowed_mentions }: ThreadPost): FieldError[] {
  const { maxOptions, maxOptionLength } = pollLimits;
  const { options = [] } = poll ?? {};
  const errors: FieldError[] = [];
  const tooLong = (field: string, description: Message) => errors.push({ field, error: 'ERR_TOO_LONG', description });
  if (exceedsLimit(spoilerText + text, maxDraftTextLength, { links: true }))
    tooLong('status', message('problems.tooLong', { max: maxDraftTextLength }));
  if (options.length > maxOptions || options.some((option) => isTooLarge(option, maxOptionLength)))
    tooLong('poll', message('drafts.pollTooLong', { maxOptions, maxLength: maxOptionLength }));
  if ((allowed_mentions?.length ?? 0) > maxMentions)
    tooLong('allowed_mentions', message('threads.atMost', { max: maxMentions }));
  return errors;
}
