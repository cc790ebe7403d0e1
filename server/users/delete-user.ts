import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { returnInviteUses } from './invites/count-uses.ts';
import type { InviteId } from './tables.ts';

/**
 * Deletes the user of a deleted account in the same transaction, with its sessions, tokens and grants. No-op for a remote
 * account.
 */
export async function deleteUser(
  tx: Transaction,
  _app: App,
  { accountId }: { readonly accountId: AccountId },
): Promise<void> {
  const { rows } = await sql<{ inviteId: InviteId | null }>`
    delete from users using accounts
    where users.account_id = ${accountId}::bigint and accounts.id = users.account_id
    returning case when accounts.activated then null else users.invite_id end as "inviteId"`.execute(tx.db);
  await returnInviteUses(
    tx,
    rows.map(({ inviteId }) => inviteId),
  );
}
