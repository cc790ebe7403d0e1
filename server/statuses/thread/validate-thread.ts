import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { parsePoll, type PollParams } from '../../polls/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import type { ReplyParent, ValidatedStatus } from '../post/compose-status.ts';
import type { StatusParams } from '../post/status-params.ts';
import { formatStatusText } from '../post/format-status-text.ts';
import { assertMentionsAllowed, parseStatusText } from '../post/status-text.ts';
import { requireQuotableStatus } from '../quote/quote-status.ts';
import { requireOpenParent } from '../post/require-parent.ts';
import { FieldChecks, fieldsError } from './field-errors.ts';

/** The validated posts of a thread. Each replies to the one before, so only the first has a parent. */
export interface ValidatedThread {
  readonly parent: ReplyParent | undefined;
  readonly posts: readonly ValidatedPost[];
}

export interface ValidatedPost extends Omit<ValidatedStatus, 'parent'> {
  readonly poll: PollParams | undefined;
}

/** Validates all posts of a thread. Throws 422 that names every invalid field, such as `posts[2].status`. */
export async function validateThread(
  app: App,
  accountId: AccountId,
  thread: { readonly posts: readonly StatusParams[]; readonly inReplyToId: StatusId | undefined },
): Promise<ValidatedThread> {
  const checks = new FieldChecks();
  const { inReplyToId } = thread;
  const parent =
    inReplyToId === undefined
      ? undefined
      : await checks.run('in_reply_to_id', () => requireOpenParent(app, accountId, inReplyToId));
  const posts = await Promise.all(
    thread.posts.map(async (params, index) => {
      const postChecks = new FieldChecks();
      const post = await validatePost(app, accountId, params, { checks: postChecks, path: `posts[${index}]` });
      return { post, errors: postChecks.errors };
    }),
  );
  const errors = [...checks.errors, ...posts.flatMap((post) => post.errors)];
  if (errors.length > 0) throw fieldsError(errors);
  return { parent, posts: posts.flatMap(({ post }) => post ?? []) };
}

async function validatePost(
  app: App,
  accountId: AccountId,
  post: StatusParams,
  { checks, path }: { checks: FieldChecks; path: string },
): Promise<ValidatedPost | undefined> {
  const { mediaIds = [], quotedStatusId, allowedMentions } = post;
  const statusText = await checks.run(`${path}.status`, () =>
    parseStatusText(post, { allowBlank: mediaIds.length > 0 || quotedStatusId !== undefined }),
  );
  const poll = await checks.run(`${path}.poll`, () => parsePoll(post.poll));
  const quoted =
    quotedStatusId === undefined
      ? undefined
      : await checks.run(`${path}.quoted_status_id`, () => requireQuotableStatus(app, accountId, quotedStatusId));
  if (statusText === undefined) return undefined;
  const contentType = post.contentType ?? (await loadUserSettings(app, accountId)).default_content_type;
  const formatted = await formatStatusText(app, statusText.text, contentType);
  await checks.run(`${path}.allowed_mentions`, () => assertMentionsAllowed(app, accountId, formatted, allowedMentions));
  return { post, statusText, contentType, quoted, formatted, poll };
}
