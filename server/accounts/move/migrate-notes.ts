import { defineJob } from '../../platform/work/define-job.ts';
import { later } from '../../platform/write/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { type AccountId, minId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { acctOf } from '../present/render-account.ts';
import { accountMoved } from '../events.ts';
import { findAccount } from '../find/find-accounts.ts';
import { maxNoteLength } from '../notes/set-note.ts';

/** Notes per transaction. */
const batchSize = 200;

/** Copies the notes of local accounts about an account that moves. */
export const migrateNotes = later('background', [accountMoved], {
  name: 'account.migrate_notes',
  run: (app, { accountId, targetAccountId }) =>
    transaction(app, async ({ enqueue }) => {
      enqueue(migrateNotesBatch({ accountId, targetAccountId, above: minId }));
    }),
});

interface NoteMigrationBatch {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
  readonly above: AccountId;
}

export const migrateNotesBatch = defineJob(
  'account.migrate_notes_batch',
  Type.Object({
    accountId: idSchema<'account'>(),
    targetAccountId: idSchema<'account'>(),
    above: idSchema<'account'>(),
  }),
  async (app, step: NoteMigrationBatch) => {
    const old = await findAccount(app, step.accountId);
    if (old === undefined) return;
    await transaction(app, async ({ db, enqueue }) => {
      const last = await copyNotes(db, step, `Moved here from @${acctOf(old)}. Your note from there:\n`);
      if (last !== undefined) enqueue(migrateNotesBatch({ ...step, above: last }));
    });
  },
  'background',
);

/** Appends old notes to new ones, once, up to the maximum length. Returns the last id if there may be more. */
async function copyNotes(
  db: Transaction['db'],
  step: NoteMigrationBatch,
  heading: string,
): Promise<AccountId | undefined> {
  const { rows } = await sql<{ account_id: AccountId }>`
    with old as (
      select account_id, comment from account_notes
      where target_account_id = ${step.accountId}::bigint and account_id > ${step.above}::bigint
        and account_id <> ${step.targetAccountId}::bigint
      order by account_id limit ${batchSize}
    ), carried as (
      insert into account_notes as note (account_id, target_account_id, comment)
      select account_id, ${step.targetAccountId}::bigint,
        case when char_length(${heading}::text || comment) <= ${maxNoteLength} then ${heading}::text || comment else comment end
      from old
      on conflict (account_id, target_account_id) do update set comment = note.comment || E'\n\n' || excluded.comment
      where strpos(note.comment, excluded.comment) = 0
        and char_length(note.comment) + char_length(excluded.comment) + 2 <= ${maxNoteLength}
    )
    select account_id from old order by account_id`.execute(db);
  return rows.length < batchSize ? undefined : rows.at(-1)?.account_id;
}
