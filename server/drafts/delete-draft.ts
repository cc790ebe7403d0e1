import { accountDeleted } from '../accounts/index.ts';
import { releaseDraftMedia } from '../media/attach/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { lockDraft } from './lock-draft.ts';
import { writable, type DraftId } from './tables.ts';

/** A draft, in this version if one is given. */
export interface DraftVersion {
  readonly id: DraftId;
  readonly version: number | undefined;
}

/** Deletes a draft. Its files are kept for one more day. Throws 404 if it does not exist, 409 for another version. */
export function deleteDraft(app: App, accountId: AccountId, draft: DraftVersion): Promise<void> {
  return transaction(app, (tx) => takeDraft(tx, app, accountId, draft));
}

/** Like `deleteDraft`, in a transaction that may attach the files to posts. */
export async function takeDraft(tx: Transaction, app: App, accountId: AccountId, draft: DraftVersion): Promise<void> {
  await lockDraft(tx, accountId, draft);
  await releaseDraftMedia(tx, app, draft.id);
  await writable(tx.db).deleteFrom('drafts').where('id', '=', draft.id).execute();
}

/** Deletes the drafts of a deleted account. Their files are deleted with all other media of the account. */
export const deleteAccountDrafts = later('background', [accountDeleted], {
  name: 'draft.delete_account_drafts',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('drafts').where('account_id', '=', accountId).execute();
    }),
});
