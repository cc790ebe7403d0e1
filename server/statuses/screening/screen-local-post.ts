import { sql } from 'kysely';
import { recordRefusal, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { isId, type AccountId } from '../../platform/ids.ts';
import type { PollEdit } from '../../polls/index.ts';
import { isExemptFromRules } from '../../users/roles/index.ts';
import type { FormattedText } from '../post/format-status-text.ts';
import { screenPost, type ScreenedMedia, type ScreenedPost } from './screen-post.ts';

/** A composed post or edit of a local account. */
export interface LocalPost {
  readonly status: ScreenedPost['status'] & { readonly text: string; readonly sensitive: boolean };
  readonly formatted: Pick<FormattedText, 'unresolvedHandles'>;
  readonly mediaIds: readonly string[];
  readonly poll: Pick<PollEdit, 'options'> | undefined;
  /** Of an edit: the new descriptions of attachments. */
  readonly newDescriptions?: readonly string[];
  readonly isEdit?: boolean;
  /** It cannot be held for review, so it is refused instead: an edit. */
  readonly mayNotWait?: boolean;
}

/**
 * Compares a local post with the moderation rules. Returns undefined if none takes an action, and for authors who decide
 * about held posts. Throws 422 if one refuses it.
 */
export async function screenLocalPost(app: App, post: LocalPost): Promise<Verdict | undefined> {
  const { status, formatted, mediaIds, poll, newDescriptions = [], isEdit = false, mayNotWait = false } = post;
  const { accountId, text } = status;
  const verdict = await screenPost(app, {
    status,
    otherTexts: [...(poll?.options ?? []), ...newDescriptions],
    loadMedia: () => loadOwnMedia(app, accountId, mediaIds),
    unknownMentions: formatted.unresolvedHandles.length,
    isEdit,
  });
  // Only now, so that most posts cost no query.
  if (verdict === undefined || (await isExemptFromRules(app, accountId))) return undefined;
  if (verdict.actions.has('reject') || (mayNotWait && verdict.actions.has('hold'))) {
    await recordRefusal(app, verdict, { type: 'status', accountId, text });
    // Does not name the rule, so that it cannot be found out by trying.
    throw validationFailed('moderationRules.postRefused');
  }
  return { ...verdict, marksSensitive: verdict.actions.has('sensitive') && !status.sensitive };
}

/** Loads uploads of an account. */
export async function loadOwnMedia(
  app: App,
  accountId: AccountId,
  mediaIds: readonly string[],
): Promise<ScreenedMedia[]> {
  const ids = mediaIds.filter(isId);
  return ids.length === 0 ? [] : ownMedia(app, { accountId, ids });
}

const ownMedia = preparedQuery<ScreenedMedia>()(
  (db, { accountId, ids }: { accountId: AccountId; ids: readonly string[] }) =>
    db
      .selectFrom('media_attachments')
      .select(['description', 'blurhash'])
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      .where('account_id', '=', accountId),
);
