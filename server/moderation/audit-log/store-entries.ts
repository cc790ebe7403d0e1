import { sql } from 'kysely';
import { accountDeleted } from '../../accounts/index.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import { newId } from '../../platform/ids.ts';
import { staffActed } from '../../site/audit/index.ts';
import { writable } from '../tables.ts';

/** Writes what staff changed into the audit log, in the transaction of the change. */
export const storeEntries = inTransaction([staffActed], {
  runBatch: async ({ db }, app, actions) => {
    const now = app.clock.now();
    for (const { staffId, action, targetType, targetId, targetLabel, before, after } of actions) {
      await writable(db)
        .insertInto('audit_log')
        .values({
          id: newId<'row'>(now),
          staff_id: staffId,
          staff_name: staffId === null ? null : db.selectFrom('accounts').select('username').where('id', '=', staffId),
          action,
          target_type: targetType,
          target_id: targetId,
          target_label: targetLabel,
          before: before === null ? null : sql`${JSON.stringify(before)}::jsonb`,
          after: after === null ? null : sql`${JSON.stringify(after)}::jsonb`,
          created_at: now,
        })
        .execute();
    }
  },
});

/**
 * Forgets what the log knows about a deleted account but its name: the details of entries about it, and the link to it
 * from what it did as staff.
 */
export const forgetDeletedAccount = inTransaction([accountDeleted], {
  locks: 'audit_log',
  run: (tx, _app, { accountId }) => forgetAccount(tx, accountId),
});

async function forgetAccount({ db }: Transaction, accountId: string): Promise<void> {
  await writable(db)
    .updateTable('audit_log')
    .set({ before: null, after: null })
    .where('target_type', 'in', ['account', 'user'])
    .where('target_id', '=', accountId)
    .execute();
  await writable(db)
    .updateTable('audit_log')
    .set({ staff_id: null })
    .where(sql<boolean>`staff_id = ${accountId}`)
    .execute();
}
