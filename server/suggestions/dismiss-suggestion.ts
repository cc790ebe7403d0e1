import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { writable } from './tables.ts';

/** Never suggests an account to the viewer again. Idempotent; no-op for an unknown account. */
export function dismissSuggestion(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  return transaction(app, async ({ db }) => {
    await sql`
      insert into dismissed_suggestions (account_id, target_account_id, created_at)
      select ${accountId}, id, ${app.clock.now()} from accounts where id = ${targetId}::bigint
      on conflict do nothing`.execute(db);
  });
}

/** Deletes what a deleted account dismissed, and where it is suggested. */
export const deleteAccountSuggestions = later('background', [accountDeleted], {
  name: 'suggestion.delete_account_suggestions',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db)
        .deleteFrom('dismissed_suggestions')
        .where((where) => where.or([where('account_id', '=', accountId), where('target_account_id', '=', accountId)]))
        .execute();
      await writable(db).deleteFrom('popular_accounts').where('account_id', '=', accountId).execute();
    }),
});
