import { defineJob } from '../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import { requireAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction as inTransaction } from '../platform/database/transaction.ts';
import { newId, idSchema, type AccountId } from '../platform/ids.ts';
import { accountMuted, accountUnmuted, relationsChanged } from './events.ts';

export interface MuteOptions {
  /** Whether its notifications are hidden as well; default true. */
  readonly notifications?: boolean | undefined;
  /** Seconds until it ends by itself; absent or 0: for ever. */
  readonly duration?: number | undefined;
}

/** PostgreSQL and JavaScript both reach past it; a mute of a century is one for ever. */
const maxMuteSeconds = 100 * 365 * 86_400;

/** Mutes, or changes the mute there is (MUT-01). Muting oneself does nothing. 404 for an unknown account. */
export async function muteAccount(
  app: App,
  accountId: AccountId,
  targetId: AccountId,
  { notifications = true, duration = 0 }: MuteOptions = {},
): Promise<void> {
  await requireAccount(app, targetId);
  if (accountId === targetId) return;
  const now = app.clock.now();
  const expires = duration > 0 && duration < maxMuteSeconds ? new Date(now.getTime() + duration * 1000) : null;
  await inTransaction(app, async (tx) => {
    const { id } = await tx.db
      .insertInto('mutes')
      .values({
        id: newId<'row'>(now),
        account_id: accountId,
        target_account_id: targetId,
        hide_notifications: notifications,
        expires_at: expires,
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'target_account_id'])
          .doUpdateSet({ hide_notifications: notifications, expires_at: expires }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    if (expires !== null) tx.enqueue(expireMute({ muteId: id }, { runAt: expires }));
    tx.emit(accountMuted({ muteId: id, accountId, targetAccountId: targetId }));
    tx.emit(relationsChanged({ accountId }));
  });
}

/** Ends a mute; without one nothing happens. */
export async function unmuteAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await inTransaction(app, async (tx) => {
    const mute = await tx.db
      .deleteFrom('mutes')
      .where('account_id', '=', accountId)
      .where('target_account_id', '=', targetId)
      .returning('id')
      .executeTakeFirst();
    if (mute === undefined) return;
    tx.emit(accountUnmuted({ muteId: mute.id, accountId, targetAccountId: targetId }));
    tx.emit(relationsChanged({ accountId }));
  });
}

/** Removes a mute whose time is over; one that was prolonged meanwhile stays, and has a job of its own. */
export const expireMute = defineJob(
  'relationship.expire_mute',
  Type.Object({ muteId: idSchema<'row'>() }),
  (app, { muteId }) =>
    inTransaction(app, async (tx) => {
      const mute = await tx.db
        .deleteFrom('mutes')
        .where('id', '=', muteId)
        .where('expires_at', '<=', app.clock.now())
        .returning(['account_id', 'target_account_id'])
        .executeTakeFirst();
      if (mute === undefined) return;
      tx.emit(accountUnmuted({ muteId, accountId: mute.account_id, targetAccountId: mute.target_account_id }));
      tx.emit(relationsChanged({ accountId: mute.account_id }));
    }),
);
