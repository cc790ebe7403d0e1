import { sql } from 'kysely';
import { accountSuspended } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { later } from '../../platform/write/reactions.ts';
import type { AccountId } from '../../platform/ids.ts';
import { insertAllSeverances } from './record-severances.ts';

/**
 * Records what local accounts lost when staff suspended an account. Their follows stay stored, without effect, and return if
 * the suspension is lifted. Not for suspensions by other servers, which could repeat them without end.
 */
export const recordSuspensionSeverances = later('background', [accountSuspended], {
  name: 'relationship.record_suspension_severances',
  run: async (app, { accountId, suspensionId: id }) => {
    if (id === undefined) return;
    const targetName = await loadSuspendedName(app, accountId);
    if (targetName === undefined) return;
    const isSuspended = sql<boolean>`suspended.id = ${accountId}::bigint`;
    await insertAllSeverances(app, { id, type: 'account_suspension', targetName }, isSuspended);
  },
});

/** Returns the address of an account; undefined if staff no longer suspend it. */
async function loadSuspendedName({ config, db }: App, accountId: AccountId): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select(['username', 'domain'])
    .where('id', '=', accountId)
    .where('suspension_origin', '=', 'local')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return account && `${account.username}@${account.domain ?? config.domain}`;
}
