import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { maxId } from '../../platform/ids.ts';
import { continueWalk } from '../../platform/work/continue-walk.ts';

/** Accounts in a run: 720,000 a day of a schedule that runs every ten minutes. */
export const accountsPerRun = 5_000;

/** Condition that the id of an account in this column is in the range of a run. */
export type IsInRange = (column: string) => RawBuilder<boolean>;

/**
 * Calls `refresh` for the accounts whose turn it is in a schedule: each run continues where the last one of this name
 * stopped. The last range of all accounts has no end, so that it includes what is stored about deleted ones.
 */
export const walkAccounts = (
  app: App,
  name: string,
  refresh: (isInRange: IsInRange) => Promise<unknown>,
): Promise<void> =>
  continueWalk(app, name, {
    maxExamined: accountsPerRun,
    async examine(after) {
      const { rows } = await sql<{ last: string }>`
        select max(account_id) as last from (
          select account_id from account_stats where account_id > ${after}::bigint
          order by account_id limit ${accountsPerRun}::int
        ) batch
        having count(*) = ${accountsPerRun}::int`.execute(app.db);
      const last = rows[0]?.last;
      // Literals: a generic plan expects a large part of all accounts.
      await refresh((column) => {
        const id = sql.ref(column);
        return sql<boolean>`${id} > ${sql.lit(after)}::bigint and ${id} <= ${sql.lit(last ?? maxId)}::bigint`;
      });
      return { examined: accountsPerRun, last };
    },
  });
