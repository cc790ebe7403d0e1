import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { exceedsLimit } from '../text/index.ts';

/** Characters of a note. */
export const maxNoteLength = 2000;

/** Keeps what one account notes for itself about another (ACC-11); a blank comment deletes it. 422 past 2000 characters. */
export async function setNote(app: App, accountId: AccountId, targetId: AccountId, comment: string): Promise<void> {
  const text = comment.trim();
  if (exceedsLimit(text, maxNoteLength))
    throw validationFailed(`Comment is too long (maximum is ${maxNoteLength} characters)`);
  await transaction(app, async ({ db }) => {
    if (text === '') {
      await db
        .deleteFrom('account_notes')
        .where('account_id', '=', accountId)
        .where('target_account_id', '=', targetId)
        .execute();
      return;
    }
    await db
      .insertInto('account_notes')
      .values({ account_id: accountId, target_account_id: targetId, comment: text })
      .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doUpdateSet({ comment: text }))
      .execute();
  });
}

/**
 * Notes why an account is hidden from another although that one never asked for it: it moved, and was hidden where it
 * came from. What is noted about it already stays as it is.
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
    db
      .insertInto('account_notes')
      .values({ account_id: accountId, target_account_id: targetId, comment })
      .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doNothing())
      .execute(),
  );
}
