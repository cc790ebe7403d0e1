import {
  claimMedia,
  deleteUnusedCovers,
  prepareCovers,
  updateAttachedMedia,
  type AttachedMediaChanges,
  type Covers,
} from '../../media/attach/index.ts';
import { isReplyPending } from '../../interactions/requests/index.ts';
import type { Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, unprocessable } from '../../platform/http/http-errors.ts';
import type { AccountId, MediaId, PollId, StatusId } from '../../platform/ids.ts';
import { updatePoll, parsePollEdit, type PollEdit, type PollInput } from '../../polls/index.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { findLanguage } from '../../text/languages/index.ts';
import type { ContentType } from '../../text/format/index.ts';
import { contentTypeOf } from '../post/content-type.ts';
import type { QuotePolicy } from '../../users/index.ts';
import { mentionsUnresolved } from '../events.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { changePolicies } from '../quote/change-policies.ts';
import { findQuotedStatus, withQuoteLink } from '../quote/quote-status.ts';
import { ensureTagsOfPosts } from '../post/ensure-tags-of-posts.ts';
import { formatStatusText, type FormattedText } from '../post/format-status-text.ts';
import { recordStoredMatches } from '../screening/record-stored-matches.ts';
import { screenLocalPost } from '../screening/screen-local-post.ts';
import { loadStatusSource } from './load-status-source.ts';
import { storeFirstVersion, lockStatus, storeEdit, UnchangedError, type StoredStatus } from './store-edit.ts';
import { parseStatusText, type StatusText } from '../post/status-text.ts';
import { isImported } from '../visibility/visibility.ts';

/**
 * The parameters of an edit. Missing ones are cleared, except for the language, the content type, the quote policy, and the
 * end and hidden totals of a poll.
 */
export interface StatusEditParams {
  readonly text?: string | undefined;
  readonly contentType?: ContentType | undefined;
  readonly spoilerText?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | undefined;
  /** All attachments after the edit, in display order. */
  readonly mediaIds?: readonly string[] | undefined;
  /** Changes of these attachments. */
  readonly mediaChanges?: readonly AttachedMediaChanges[] | undefined;
  readonly poll?: PollInput | undefined;
  /** Who may quote it; unchanged if missing. */
  readonly quotePolicy?: QuotePolicy | undefined;
}

interface ValidatedEdit {
  readonly edit: StatusEditParams;
  readonly statusText: StatusText;
  readonly contentType: ContentType;
  readonly poll: PollEdit | undefined;
  readonly formatted: FormattedText;
  readonly mentionedIds: readonly AccountId[];
  readonly covers: Covers;
  readonly verdict: Verdict | undefined;
}

/**
 * Edits a status of the local account `accountId` (STA-11). No-op if the edit changes nothing. Throws 404 if the account
 * may not see the status or is not its author, 422 for a reblog, an imported status and for the errors of `postStatus`.
 */
export async function editStatus(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
  edit: StatusEditParams,
): Promise<void> {
  const status = await requireVisibleStatus(app, accountId, statusId);
  if (status.accountId !== accountId) throw notFound();
  if (status.reblogOfId !== null) throw unprocessable('statuses.editBoost');
  if (isImported(status.visibility)) throw unprocessable('statuses.editImported');
  if (status.inReplyToId !== null && (await isReplyPending(app, statusId))) throw unprocessable('statuses.editPending');
  const statusText = parseStatusText(edit, { allowBlank: (edit.mediaIds ?? []).length > 0 || status.quote !== null });
  const poll = parsePollEdit(edit.poll);
  const contentType = edit.contentType ?? (await loadStatusSource(app, statusId)).content_type;
  const [text, { blocking }, quoted] = await Promise.all([
    formatStatusText(app, statusText.text, contentType),
    loadAccountRelations(app, accountId),
    findQuotedStatus(app, statusId),
  ]);
  const formatted = { ...text, content: withQuoteLink(text.content, quoted) };
  const mentionedIds = formatted.mentionedIds.filter((id) => !blocking.has(id));
  const verdict = await screenLocalPost(app, {
    status: {
      ...statusText,
      sensitive: statusText.spoilerText !== '' || edit.sensitive === true,
      accountId,
      local: true,
      content: formatted.content,
      language: edit.language ?? status.language,
      inReplyToAccountId: status.inReplyToAccountId,
      mentions: mentionedIds.map((id) => ({ accountId: id, silent: false })),
    },
    formatted,
    mediaIds: edit.mediaIds ?? [],
    poll,
    newDescriptions: (edit.mediaChanges ?? []).flatMap(({ description }) => description ?? []),
    isEdit: true,
    mayNotWait: true,
  });
  const covers = await prepareCovers(app, accountId, edit.mediaChanges ?? []);
  try {
    await transaction(app, (tx) =>
      applyEdit(tx, app, statusId, {
        edit: verdict?.actions.has('sensitive') === true ? { ...edit, sensitive: true } : edit,
        verdict,
        statusText,
        contentType,
        poll,
        formatted,
        mentionedIds,
        covers,
      }),
    );
  } catch (error) {
    if (!(error instanceof UnchangedError)) throw error;
  } finally {
    await deleteUnusedCovers(app, covers);
  }
  if (edit.quotePolicy !== undefined) await changePolicies(app, accountId, statusId, { quotePolicy: edit.quotePolicy });
}

async function applyEdit(tx: Transaction, app: App, statusId: StatusId, validated: ValidatedEdit): Promise<void> {
  const status = await lockStatus(tx, statusId);
  if (status === undefined) throw notFound();
  await storeFirstVersion(tx, app, statusId);
  const { edit, statusText, contentType, formatted } = validated;
  const sensitive = statusText.spoilerText !== '' || edit.sensitive === true;
  const language = findLanguage(edit.language ?? '') ?? status.language;
  const { mediaIds, pollId, changed } = await updateMediaAndPoll(tx, app, status, validated);
  const isChanged =
    changed ||
    statusText.text !== status.text ||
    contentType !== contentTypeOf(status) ||
    statusText.spoilerText !== status.spoiler_text ||
    sensitive !== status.sensitive ||
    language !== status.language;
  if (!isChanged) throw new UnchangedError();
  const editedAt = app.clock.now();
  const { visibility } = status;
  const tags = await ensureTagsOfPosts(tx, app, [{ visibility, tagNames: formatted.tagNames }]);
  const { content } = formatted;
  const mentions = validated.mentionedIds.map((id) => ({ accountId: id, silent: false }));
  const tagIds = [...new Map(tags).values()];
  await storeEdit(tx, app, status, {
    ...statusText,
    contentType,
    content,
    sensitive,
    language,
    mediaIds,
    pollId,
    mentions,
    tagIds,
    editedAt,
  });
  if (validated.verdict !== undefined)
    await recordStoredMatches(tx, app, validated.verdict, {
      id: statusId,
      accountId: status.account_id,
      spoilerText: statusText.spoilerText,
      content,
    });
  if (formatted.unresolvedHandles.length > 0) {
    tx.emit(mentionsUnresolved({ statusId, accountId: status.account_id, handles: [...formatted.unresolvedHandles] }));
  }
}

/** Updates the attachments and the poll of a status. `changed`: whether that made a difference. */
async function updateMediaAndPoll(
  tx: Transaction,
  app: App,
  status: StoredStatus,
  { edit, poll, covers }: ValidatedEdit,
): Promise<{ mediaIds: MediaId[]; pollId: PollId | null; changed: boolean }> {
  const { id: statusId, account_id: accountId } = status;
  const files = await claimMedia(tx, app, { accountId, statusId, mediaIds: edit.mediaIds ?? [] });
  const mediaIds = files.map(({ id }) => id);
  const described = await updateAttachedMedia(tx, app, statusId, edit.mediaChanges ?? [], covers);
  const updatedPoll = await updatePoll(tx, app, { accountId, statusId }, poll);
  const isMediaChanged = mediaIds.join() !== status.media_ids.join();
  const isDescriptionChanged = described.some(({ id }) => mediaIds.includes(id));
  return {
    mediaIds,
    pollId: updatedPoll.pollId,
    changed: isMediaChanged || isDescriptionChanged || updatedPoll.changed,
  };
}
