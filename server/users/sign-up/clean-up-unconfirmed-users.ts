import { sql } from 'kysely';
import { deleteUnactivatedAccounts } from '../../accounts/lifecycle/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import { userAccessChanged } from '../events.ts';
import { returnInviteUses } from '../invites/count-uses.ts';
import type { InviteId } from '../tables.ts';

/** Days until an unconfirmed sign-up is deleted (reference/limits.tsv: unconfirmed users removed after). */
const retentionDays = 7;
/** Users per transaction. */
const batchSize = 100;

/**
 * Deletes sign-ups that were not confirmed in a week, with their accounts. Names, addresses and uses of invites are
 * free again.
 */
export async function cleanUpUnconfirmedUsers(app: App): Promise<void> {
  while ((await deleteBatch(app)) === batchSize);
}

function deleteBatch(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
  return transaction(app, async (tx) => {
    const { rows } = await sql<{ id: UserId; account_id: AccountId; invite_id: InviteId | null }>`
      delete from users where id in (
        select u.id from users u join accounts a on a.id = u.account_id
        where u.confirmed_at is null and u.created_at < ${before} and not a.activated
        order by u.created_at limit ${batchSize} for update of u skip locked)
      returning id, account_id, invite_id`.execute(tx.db);
    await deleteUnactivatedAccounts(
      tx,
      rows.map((row) => row.account_id),
    );
    await returnInviteUses(
      tx,
      rows.map((row) => row.invite_id),
    );
    for (const { id, account_id } of rows) tx.emit(userAccessChanged({ userId: id, accountId: account_id }));
    return rows.length;
  });
}
