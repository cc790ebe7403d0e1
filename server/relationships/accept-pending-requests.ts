import { on } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { accountUnlocked, findAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction as inTransaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { acceptFollowRequests } from './follow-requests.ts';

const batchSize = 100;

/** An account that is open to everybody now lets in who waits (FOL-07), but for the silenced and those it mutes. */
export const acceptPendingRequests = on([accountUnlocked], {
  name: 'relationship.accept_pending_requests',
  run: (app, { accountId }) => acceptAllPendingRequests(app, accountId),
});

async function acceptAllPendingRequests(app: App, targetId: AccountId): Promise<void> {
  for (;;) {
    const target = await findAccount(app, targetId);
    if (target === undefined || target.locked) return;
    const pending = await loadPendingRequests(app, { targetId, now: app.clock.now() });
    if (pending.length === 0) return;
    await inTransaction(app, (tx) =>
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
      .leftJoin('mutes', (join) =>
        join
          .on('mutes.account_id', '=', targetId)
          .onRef('mutes.target_account_id', '=', 'follow_requests.account_id')
          .on(sql<boolean>`(mutes.expires_at is null or mutes.expires_at > ${now}::timestamptz)`),
      )
      .select('follow_requests.account_id')
      .where('follow_requests.target_account_id', '=', targetId)
      .where('accounts.silenced_at', 'is', null)
      .where('accounts.suspended_at', 'is', null)
      .where('mutes.id', 'is', null)
      .orderBy('follow_requests.id')
      .limit(batchSize),
);
