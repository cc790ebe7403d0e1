import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { outranksSql } from '../access/rank.ts';
import { isUnspent } from './find-invites.ts';

/**
 * Expires all invites that are neither used up nor expired, or those of one local user. Leaves those of others whose role is
 * not below that of the staff member. Returns their number.
 */
export function expireInvites(app: App, staff: Staff, accountId?: AccountId): Promise<number> {
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const { rows } = await sql<{ username: string }>`
      with available as materialized (
        ${selectAvailable(now, accountId)} and ${outranksSql(staff, sql`users`)} order by invites.id for no key update of invites
      )
      update invites set expires_at = ${now} from available
      where invites.id = available.id returning available.username`.execute(tx.db);
    if (rows.length > 0)
      recordStaffAction(tx, staff, {
        target: 'invite',
        verb: 'expire_all',
        label: (accountId === undefined ? undefined : rows[0]?.username) ?? 'all',
        before: { available: rows.length },
        after: { available: 0 },
      });
    return rows.length;
  });
}

/** Returns the number of invites that `expireInvites` would expire. */
export async function countAvailableInvites(app: App, accountId?: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${selectAvailable(app.clock.now(), accountId)}) available`.execute(app.db);
  return rows[0]?.count ?? 0;
}

const selectAvailable = (now: Date, accountId: AccountId | undefined): RawBuilder<unknown> => sql`
  select invites.id, accounts.username
  from invites join users on users.id = invites.user_id join accounts on accounts.id = users.account_id
  where ${isUnspent(now)} ${accountId === undefined ? sql`` : sql`and users.account_id = ${accountId}::bigint`}`;
