import { on } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { accountUnlocked, findAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { acceptRequests } from './answer-follow-requests.ts';

const atOnce = 100;

/** An account that is open to everybody now lets in who waits (FOL-07), but for the silenced and those it mutes. */
export const acceptWaiting = on([accountUnlocked], {
  name: 'relationships.accept-waiting',
  run: (app, { accountId }) => acceptAllWaiting(app, accountId),
});

async function acceptAllWaiting(app: App, targetId: AccountId): Promise<void> {
  for (;;) {
    const target = await findAccount(app, targetId);
    if (target === undefined || target.locked) return;
    const waiting = await loadWaiting(app, { targetId, now: app.clock.now() });
    if (waiting.length === 0) return;
    await inTransaction(app, (write) =>
      acceptRequests(
        write,
        app,
        targetId,
        waiting.map((row) => row.account_id),
      ),
    );
  }
}

const loadWaiting = prepared<{ account_id: AccountId }>()((db, { targetId, now }: { targetId: AccountId; now: Date }) =>
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
    .limit(atOnce),
);
