import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { countDraftMedia, holdDraftMedia } from '../media/attach/index.ts';
import { fieldsError } from '../statuses/thread/index.ts';
import { assertDraftContent, maxDraftFiles, maxDrafts, type DraftContent } from './draft-limits.ts';
import { lockDraft } from './lock-draft.ts';
import { writable, type DraftId } from './tables.ts';

/** Stores a draft and returns its id. Throws 422 for invalid content, and above `maxDrafts`. */
export function createDraft(app: App, accountId: AccountId, content: DraftContent): Promise<DraftId> {
  assertDraftContent(content);
  const now = app.clock.now();
  const id = newId<'draft'>(now);
  return transaction(app, async (tx) => {
    await lockAccount(tx, accountId);
    const { count } = await tx.db
      .selectFrom('drafts')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxDrafts) throw validationFailed('drafts.tooManyDrafts', { max: maxDrafts });
    await holdFiles(tx, app, { accountId, id, content });
    await writable(tx.db)
      .insertInto('drafts')
      .values({ id, account_id: accountId, version: 1, ...toColumns(content), created_at: now, updated_at: now })
      .execute();
    return id;
  });
}

/**
 * Replaces the content of a draft. Throws 404 if it does not exist, 409 if it has another version than `version`, 422 for
 * invalid content.
 */
export function updateDraft(
  app: App,
  accountId: AccountId,
  id: DraftId,
  { version, ...content }: DraftContent & { readonly version: number },
): Promise<void> {
  assertDraftContent(content);
  return transaction(app, async (tx) => {
    await lockAccount(tx, accountId);
    await lockDraft(tx, accountId, { id, version });
    await holdFiles(tx, app, { accountId, id, content });
    await writable(tx.db)
      .updateTable('drafts')
      .set({ ...toColumns(content), version: version + 1, updated_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
  });
}

const toColumns = ({ posts, inReplyToId }: DraftContent) => ({
  posts: JSON.stringify(posts),
  in_reply_to_id: inReplyToId ?? null,
});

/** Serializes concurrent requests, so that they cannot exceed the limits together. */
async function lockAccount({ db }: Transaction, accountId: AccountId): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

async function holdFiles(
  tx: Transaction,
  app: App,
  { accountId, id, content: { posts } }: { accountId: AccountId; id: DraftId; content: DraftContent },
): Promise<void> {
  const mediaIds = posts.flatMap(({ media_ids = [] }) => media_ids);
  const unavailable = new Set(await holdDraftMedia(tx, app, { accountId, draftId: id, mediaIds }));
  const failed = posts.flatMap(({ media_ids = [] }, index) =>
    media_ids.some((mediaId) => unavailable.has(mediaId)) ? [`posts[${index}].media_ids`] : [],
  );
  if (failed.length > 0) throw fieldsError(failed.map((field) => ({ field, ...unavailableError })));
  if ((await countDraftMedia(tx, accountId)) > maxDraftFiles)
    throw validationFailed('drafts.tooManyFiles', { max: maxDraftFiles });
}

const unavailableError = {
  error: 'ERR_INVALID',
  description: message('drafts.filesUnavailable'),
};
