import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { exceedsLimit } from '../../text/index.ts';
import { writable } from '../tables.ts';

/** Maximum number of characters of a note. */
export const maxNoteLength = 2000;

/** Stores a private note about another account (ACC-11); a blank one deletes it. Throws 422 past 2000 characters. */
export async function setNote(app: App, accountId: AccountId, targetId: AccountId, comment: string): Promise<void> {
  const text = comment.trim();
  if (exceedsLimit(text, maxNoteLength)) throw invalidField('comment', 'problems.tooLong', { max: maxNoteLength });
  await transaction(app, async ({ db }) => {
    if (text === '') {
      await writable(db)
        .deleteFrom('account_notes')
        .where('account_id', '=', accountId)
        .where('target_account_id', '=', targetId)
        .execute();
      return;
    }
    await writable(db)
      .insertInto('account_notes')
      .values({ account_id: accountId, target_account_id: targetId, comment: text })
      .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doUpdateSet({ comment: text }))
      .execute();
  });
}

/**
 * Stores a note that explains a block or mute that was copied because the account moved. No-op if there is a note
 * already.
 */
export async function addMigrationNote(
  app: App,
  {
    accountId,
    targetId,
    kind,
    acct,
  }: { accountId: AccountId; targetId: AccountId; kind: 'block' | 'mute'; acct: string },
): Promise<void> {
  const comment = `Moved here from @${acct}, which you had ${kind === 'block' ? 'blocked' : 'muted'}.`;
  await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('account_notes')
      .values({ account_id: accountId, target_account_id: targetId, comment })
      .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doNothing())
      .execute(),
  );
}
