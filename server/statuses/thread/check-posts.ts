import { maxAttachments } from '../../media/index.ts';
import type { FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import { isId } from '../../platform/ids.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { fieldsError } from './field-errors.ts';
import { maxThreadPosts, type ThreadPost } from './schema.ts';

/**
 * Throws 422 unless the parameters of a thread or draft are valid on their own, complete or not. `checkPost`: returns
 * further errors of a post, by the name of the field.
 */
export function assertPosts(
  { posts, inReplyToId }: { readonly posts: readonly ThreadPost[]; readonly inReplyToId?: string | undefined },
  checkPost: (post: ThreadPost) => readonly FieldError[] = () => [],
): void {
  const errors: FieldError[] = [];
  if (posts.length === 0) errors.push({ field: 'posts', error: 'ERR_BLANK', description: message('problems.blank') });
  if (posts.length > maxThreadPosts)
    errors.push({
      field: 'posts',
      error: 'ERR_TOO_LONG',
      description: message('threads.atMost', { max: maxThreadPosts }),
    });
  else
    errors.push(
      ...posts.flatMap((post, index) =>
        [...checkFields(post), ...checkPost(post)].map((error) => ({
          ...error,
          field: `posts[${index}].${error.field}`,
        })),
      ),
    );
  if (inReplyToId !== undefined && !isId(inReplyToId)) errors.push(invalidField('in_reply_to_id'));
  if (errors.length > 0) throw fieldsError(errors);
}

function checkFields({ language, media_ids: mediaIds = [], quoted_status_id: quotedId }: ThreadPost): FieldError[] {
  const errors: FieldError[] = [];
  if (language !== undefined && language !== '' && findLanguage(language) === undefined)
    errors.push(invalidField('language'));
  // Repeats count, because a draft stores them.
  if (mediaIds.length > maxAttachments)
    errors.push({
      field: 'media_ids',
      error: 'ERR_TOO_LONG',
      description: message('threads.atMost', { max: maxAttachments }),
    });
  if (quotedId !== undefined && !isId(quotedId)) errors.push(invalidField('quoted_status_id'));
  return errors;
}

const invalidField = (field: string): FieldError => ({
  field,
  error: 'ERR_INVALID',
  description: message('problems.invalid'),
});
