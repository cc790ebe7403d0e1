import { sql } from 'kysely';
import { eraseUnseen } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { userAccessChanged } from './events.ts';

/** Days that a sign-up may stay unconfirmed (reference/limits.tsv: unconfirmed users removed after). */
const keptDays = 7;
/** Users of one transaction. */
const chunk = 100;

/** Removes the sign-ups whose address was not confirmed for a week, with their accounts: names and addresses are free again. */
export async function removeUnconfirmed(app: App): Promise<void> {
  while ((await removeSome(app)) === chunk);
}

function removeSome(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - keptDays * 86_400_000);
  return write(app, async (transaction) => {
    const { rows } = await sql<{ id: UserId; account_id: AccountId }>`
      delete from users where id in (
        select u.id from users u join accounts a on a.id = u.account_id
        where u.confirmed_at is null and u.created_at < ${before} and not a.activated
        order by u.created_at limit ${chunk} for update of u skip locked)
      returning id, account_id`.execute(transaction.db);
    await eraseUnseen(
      transaction,
      rows.map((row) => row.account_id),
    );
    for (const { id, account_id } of rows) transaction.emit(userAccessChanged({ userId: id, accountId: account_id }));
    return rows.length;
  });
}
