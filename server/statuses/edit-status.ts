import {
  claimMedia,
  discardCovers,
  prepareCovers,
  updateAttached,
  type AttachedChanges,
  type Covers,
} from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { notFound, unprocessable } from '../platform/http/problems.ts';
import type { AccountId, MediaId, PollId, StatusId } from '../platform/ids.ts';
import { changePoll, readPoll, type PollInput, type WantedPoll } from '../polls/index.ts';
import { relationsOf } from '../relationships/index.ts';
import { ensureTags } from '../tags/index.ts';
import { isLanguage, type ContentType } from '../text/index.ts';
import { contentTypeOf } from './content-type.ts';
import type { QuotePolicy } from '../users/index.ts';
import { mentionsLeftOpen } from './events.ts';
import { requireVisibleStatus } from './keep-visible.ts';
import { changeQuotePolicy } from './change-quote-policy.ts';
import { quotedBy, withQuoteLink } from './quote-status.ts';
import { readPost, type PostedText } from './read-post.ts';
import { sourceOf } from './source.ts';
import { keepFirstVersion, lockStatus, storeEdit, Unchanged, type StoredStatus } from './store-edit.ts';
import { readWording, type Wording } from './wording.ts';

/**
 * What a status is to be from now on: what is left out is taken away, but for the language, the content type and who may
 * quote it.
 */
export interface Edit {
  readonly text?: string | undefined;
  readonly contentType?: ContentType | undefined;
  readonly spoilerText?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | undefined;
  /** All the files that it shall carry, in order, those that it carries already named again. */
  readonly mediaIds?: readonly string[] | undefined;
  /** What is said anew of these files. */
  readonly mediaChanges?: readonly AttachedChanges[] | undefined;
  readonly poll?: PollInput | undefined;
  /** Who may quote it; as it was when left out. */
  readonly quotePolicy?: QuotePolicy | undefined;
}

interface ReadEdit {
  readonly edit: Edit;
  readonly wording: Wording;
  readonly contentType: ContentType;
  readonly poll: WantedPoll | undefined;
  readonly posted: PostedText;
  readonly mentionedIds: readonly AccountId[];
  readonly covers: Covers;
}

/**
 * Edits a status of the local account `accountId` (STA-11). Nothing happens when it says already what the edit says.
 * Throws 404 for a status that is not there or somebody else's, 422 for a reblog and for what could not be posted either.
 */
export async function editStatus(app: App, accountId: AccountId, statusId: StatusId, edit: Edit): Promise<void> {
  const body = await requireVisibleStatus(app, accountId, statusId);
  if (body.accountId !== accountId) throw notFound();
  if (body.reblogOfId !== null) throw unprocessable('A reblog cannot be edited');
  const wording = readWording(edit, { mayBeBlank: (edit.mediaIds ?? []).length > 0 || body.quote !== null });
  const poll = readPoll(edit.poll);
  const contentType = edit.contentType ?? (await sourceOf(app, statusId)).content_type;
  const [read, { blocking }, quoted] = await Promise.all([
    readPost(app, wording.text, contentType),
    relationsOf(app, accountId),
    quotedBy(app, statusId),
  ]);
  const posted = { ...read, content: withQuoteLink(read.content, quoted) };
  const mentionedIds = posted.mentionedIds.filter((id) => !blocking.has(id));
  const covers = await prepareCovers(app, accountId, edit.mediaChanges ?? []);
  try {
    await write(app, (transaction) =>
      change(transaction, app, statusId, { edit, wording, contentType, poll, posted, mentionedIds, covers }),
    );
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error;
  } finally {
    await discardCovers(app, covers);
  }
  if (edit.quotePolicy !== undefined) await changeQuotePolicy(app, accountId, statusId, edit.quotePolicy);
}

async function change(write: Write, app: App, statusId: StatusId, read: ReadEdit): Promise<void> {
  const status = await lockStatus(write, statusId);
  if (status === undefined) throw notFound();
  await keepFirstVersion(write, app, statusId);
  const { edit, wording, contentType, posted } = read;
  const sensitive = wording.spoilerText !== '' || edit.sensitive === true;
  const language = edit.language !== undefined && isLanguage(edit.language) ? edit.language : status.language;
  const { mediaIds, pollId, changed } = await changeParts(write, app, status, read);
  const isOther =
    changed ||
    wording.text !== status.text ||
    contentType !== contentTypeOf(status) ||
    wording.spoilerText !== status.spoiler_text ||
    sensitive !== status.sensitive ||
    language !== status.language;
  if (!isOther) throw new Unchanged();
  const editedAt = app.clock.now();
  const tags = posted.tagNames.length === 0 ? [] : await ensureTags(write, posted.tagNames, editedAt);
  const { content } = posted;
  const mentions = read.mentionedIds.map((id) => ({ accountId: id, silent: false }));
  const tagIds = [...new Map(tags).values()];
  await storeEdit(write, app, status, {
    ...wording,
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
  if (posted.openHandles.length > 0) {
    write.emit(mentionsLeftOpen({ statusId, accountId: status.account_id, handles: [...posted.openHandles] }));
  }
}

/** Changes the files and the poll of a status, and says whether that made a difference. */
async function changeParts(
  write: Write,
  app: App,
  status: StoredStatus,
  { edit, poll, covers }: ReadEdit,
): Promise<{ mediaIds: MediaId[]; pollId: PollId | null; changed: boolean }> {
  const { id: statusId, account_id: accountId } = status;
  const files = await claimMedia(write, app, { accountId, statusId, mediaIds: edit.mediaIds ?? [] });
  const mediaIds = files.map(({ id }) => id);
  const described = await updateAttached(write, app, statusId, edit.mediaChanges ?? [], covers);
  const asked = await changePoll(write, app, { accountId, statusId }, poll);
  const isOtherList = mediaIds.join() !== status.media_ids.join();
  const isDescribed = described.some(({ id }) => mediaIds.includes(id));
  return { mediaIds, pollId: asked.pollId, changed: isOtherList || isDescribed || asked.changed };
}
