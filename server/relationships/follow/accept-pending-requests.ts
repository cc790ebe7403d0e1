import { later } from '../../platform/write/reactions.ts';
import { sql } from 'kysely';
import { accountUnlocked } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { mutesSql } from '../rules/relation-rules.ts';
import { acceptFollowRequests } from './follow-requests.ts';

const batchSize = 100;

/** Accepts the pending requests of an account that was unlocked (FOL-07), except from silenced or muted accounts. */
export const acceptPendingRequests = later('default', [accountUnlocked], {
  name: 'relationship.accept_pending_requests',
  run: (app, { accountId }) => acceptAllPendingRequests(app, accountId),
});

async function acceptAllPendingRequests(app: App, targetId: AccountId): Promise<void> {
  for (;;) {
    const target = await findAccount(app, targetId);
    if (target === undefined || target.locked) return;
    const pending = await loadPendingRequests(app, { targetId, now: app.clock.now() });
    if (pending.length === 0) return;
    await transaction(app, (tx) =>
      acceptFollowRequests(
        tx,
        app,
        targetId,
        pending.map((row) => row.account_id),
      ),
    );
  }
}

const loadPendingRequests = preparedQuery<{ account_id: AccountId }>()(
  (db, { targetId, now }: { targetId: AccountId; now: Date }) =>
    db
      .selectFrom('follow_requests')
      .innerJoin('accounts', 'accounts.id', 'follow_requests.account_id')
      .select('follow_requests.account_id')
      .where('follow_requests.target_account_id', '=', targetId)
      .where('accounts.silenced_at', 'is', null)
      .where('accounts.suspended_at', 'is', null)
      .where(({ not }) => not(mutesSql(sql.ref('follow_requests.target_account_id'), sql.ref('accounts.id'), now)))
      .orderBy('follow_requests.id')
      .limit(batchSize),
);
