import type { Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { composeStatus, type ReplyParent } from '../post/compose-status.ts';
import type { StatusParams } from '../post/status-params.ts';
import type { PreparedStatus } from '../post/insert-prepared-statuses.ts';
import { screenLocalPost } from '../screening/screen-local-post.ts';
import { fieldsError, toFailedField } from './field-errors.ts';
import type { ValidatedPost, ValidatedThread } from './validate-thread.ts';

/** A post of a thread that is ready to be stored, with its parameters. */
export interface ComposedPost extends PreparedStatus {
  readonly post: StatusParams;
}

/** Builds the statuses. Their times differ by a millisecond, so that every server sorts them in order. */
export async function composeThread(
  app: App,
  accountId: AccountId,
  { parent: replied, posts }: ValidatedThread,
): Promise<ComposedPost[]> {
  const now = app.clock.now();
  const composed: ComposedPost[] = [];
  let parent: ReplyParent | undefined = replied;
  for (const [index, validated] of posts.entries()) {
    const createdAt = new Date(now.getTime() + index);
    const status = await composePost(app, accountId, { post: validated, parent, index, createdAt });
    const { post, formatted, quoted, poll } = validated;
    const threadId = composed[0]?.status.id ?? status.id;
    composed.push({ post, status, formatted, quoted, mediaIds: post.mediaIds ?? [], poll, threadId });
    parent = status;
  }
  return composed;
}

/**
 * Compares the posts of a thread with the moderation rules and returns them with the verdicts. Throws 422 that names the
 * post if a rule refuses one.
 */
export async function screenThread(app: App, posts: readonly ComposedPost[]): Promise<ComposedPost[]> {
  const screened: ComposedPost[] = [];
  for (const [index, post] of posts.entries()) {
    try {
      screened.push({ ...post, verdict: await screenLocalPost(app, post) });
    } catch (error) {
      throw fieldsError([toFailedField(`posts[${index}].status`, error)]);
    }
  }
  return screened;
}

/** Returns a post as sensitive if the moderation rules mark it. */
export function applyMark(post: PreparedStatus): PreparedStatus {
  const { status, verdict } = post;
  return verdict?.actions.has('sensitive') === true ? { ...post, status: { ...status, sensitive: true } } : post;
}

/** Joins the verdicts about the posts of a thread that is held as a whole. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  return {
    actions: new Set(verdicts.flatMap(({ actions }) => [...actions])),
    rules: [...new Map(verdicts.flatMap(({ rules }) => rules).map((rule) => [rule.id, rule])).values()],
  };
}

async function composePost(
  app: App,
  accountId: AccountId,
  {
    post,
    parent,
    index,
    createdAt,
  }: {
    post: ValidatedPost;
    parent: ReplyParent | undefined;
    index: number;
    createdAt: Date;
  },
): Promise<PreparedStatus['status']> {
  const visibility = post.post.visibility ?? (index === 0 ? undefined : parent?.visibility);
  const parts = { ...post, post: { ...post.post, visibility }, parent };
  try {
    const status = await composeStatus(app, accountId, parts, createdAt);
    if (status.conversationId !== null) return status;
    return { ...status, conversationId: newId<'conversation'>(app.clock.now()), startsConversation: true };
  } catch (error) {
    throw fieldsError([toFailedField(`posts[${index}].quoted_status_id`, error)]);
  }
}
