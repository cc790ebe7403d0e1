import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { idFromDate, type AccountId } from '../../platform/ids.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { writable } from '../tables.ts';

/** Age at which a match is deleted, in days. */
const retentionDays = 90;
/** Rows deleted in one transaction. */
const batchSize = 5_000;

/** Deletes old matches: what their rules did can no longer be undone together. */
export const cleanUpMatches: Schedule = {
  name: 'moderation_rule.clean_up_matches',
  pattern: '37 3 * * *',
  async run(app) {
    while ((await deleteBatch(app)) === batchSize);
  },
};

function deleteBatch(app: App): Promise<number> {
  const before = idFromDate<'row'>(new Date(app.clock.now().getTime() - retentionDays * 86_400_000));
  return transaction(app, async ({ db }) => {
    const { rows } = await sql`delete from moderation_rule_matches where id in (
      select id from moderation_rule_matches where id < ${before} order by id limit ${batchSize}) returning id`.execute(
      db,
    );
    return rows.length;
  });
}

/** Deletes what rules did to an account. */
export async function deleteAccountMatches({ db }: Transaction, accountId: AccountId): Promise<void> {
  await writable(db).deleteFrom('moderation_rule_matches').where('account_id', '=', accountId).execute();
}
