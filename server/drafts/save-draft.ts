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

/** The Idempotency-Key of a request, so that it can be repeated when its response was lost. */
interface Repeatable {
  readonly idempotencyKey: string | undefined;
}

/**
 * Stores a draft and returns its id; that of the draft which an earlier request with the key created or changed last, as it
 * is. Throws 422 for invalid content, and above `maxDrafts`.
 */
export function createDraft(
  app: App,
  accountId: AccountId,
  { idempotencyKey, ...content }: DraftContent & Repeatable,
): Promise<DraftId> {
  assertDraftContent(content);
  const now = app.clock.now();
  const id = newId<'draft'>(now);
  return transaction(app, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = await tx.db
      .selectFrom('drafts')
      .select(['id', 'idempotency_key'])
      .where('account_id', '=', accountId)
      .execute();
    const repeated = stored.find(({ idempotency_key: key }) => key !== null && key === idempotencyKey);
    if (repeated !== undefined) return repeated.id;
    if (stored.length >= maxDrafts) throw validationFailed('drafts.tooManyDrafts', { max: maxDrafts });
    await holdFiles(tx, app, { accountId, id, content });
    await writable(tx.db)
      .insertInto('drafts')
      .values({
        id,
        account_id: accountId,
        version: 1,
        ...toColumns(content),
        idempotency_key: idempotencyKey ?? null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    return id;
  });
}

/**
 * Replaces the content of a draft, unless the last change had the same key. Throws 404 if it does not exist, 409 if it has
 * another version than `version`, 422 for invalid content.
 */
export function updateDraft(
  app: App,
  accountId: AccountId,
  id: DraftId,
  { version, idempotencyKey, ...content }: DraftContent & Repeatable & { readonly version: number },
): Promise<void> {
  assertDraftContent(content);
  return transaction(app, async (tx) => {
    await lockAccount(tx, accountId);
    if (idempotencyKey !== undefined && (await lastKeyOf(tx, accountId, id)) === idempotencyKey) return;
    await lockDraft(tx, accountId, { id, version });
    await holdFiles(tx, app, { accountId, id, content });
    await writable(tx.db)
      .updateTable('drafts')
      .set({
        ...toColumns(content),
        version: version + 1,
        idempotency_key: idempotencyKey ?? null,
        updated_at: app.clock.now(),
      })
      .where('id', '=', id)
      .execute();
  });
}

/** Returns the key of the last change of a draft; undefined if the account has no such draft. */
async function lastKeyOf({ db }: Transaction, accountId: AccountId, id: DraftId): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('drafts')
    .select('idempotency_key')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.idempotency_key;
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
