import { defineJob } from '../platform/jobs/define-job.ts';
import { on } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import { acctOf } from './account-json.ts';
import { accountMoved } from './events.ts';
import { findAccount } from './find-accounts.ts';
import { longestNote } from './set-note.ts';

/** Notes of one step. */
const atOnce = 200;

/** What people here noted about an account goes along when it moves. */
export const carryNotes = on([accountMoved], {
  name: 'accounts.carry-notes',
  queue: 'background',
  run: (app, { accountId, targetAccountId }) =>
    inTransaction(app, async ({ enqueue }) => {
      enqueue(carryNotesStep({ accountId, targetAccountId, above: '-9223372036854775807' as AccountId }));
    }),
});

interface Step {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
  readonly above: AccountId;
}

export const carryNotesStep = defineJob(
  'accounts.carry-notes-step',
  Type.Object({
    accountId: idSchema<'account'>(),
    targetAccountId: idSchema<'account'>(),
    above: idSchema<'account'>(),
  }),
  async (app, step: Step) => {
    const old = await findAccount(app, step.accountId);
    if (old === undefined) return;
    await inTransaction(app, async ({ db, enqueue }) => {
      const last = await carry(db, step, `Moved here from @${acctOf(old)}. Your note from there:\n`);
      if (last !== undefined) enqueue(carryNotesStep({ ...step, above: last }));
    });
  },
  'background',
);

/** Adds old notes to new ones, once, as far as there is room; gives the last one when there may be more. */
async function carry(db: Write['db'], step: Step, heading: string): Promise<AccountId | undefined> {
  const { rows } = await sql<{ account_id: AccountId }>`
    with old as (
      select account_id, comment from account_notes
      where target_account_id = ${step.accountId}::bigint and account_id > ${step.above}::bigint
        and account_id <> ${step.targetAccountId}::bigint
      order by account_id limit ${atOnce}
    ), carried as (
      insert into account_notes as note (account_id, target_account_id, comment)
      select account_id, ${step.targetAccountId}::bigint,
        case when char_length(${heading}::text || comment) <= ${longestNote} then ${heading}::text || comment else comment end
      from old
      on conflict (account_id, target_account_id) do update set comment = note.comment || E'\n\n' || excluded.comment
      where strpos(note.comment, excluded.comment) = 0
        and char_length(note.comment) + char_length(excluded.comment) + 2 <= ${longestNote}
    )
    select account_id from old order by account_id`.execute(db);
  return rows.length < atOnce ? undefined : rows.at(-1)?.account_id;
}
