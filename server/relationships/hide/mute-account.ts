import { defineJob } from '../../platform/work/define-job.ts';
import { Type } from 'typebox';
import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { accountMuted, accountUnmuted, relationsChanged } from '../events.ts';
import { writable } from '../tables.ts';

export interface MuteOptions {
  /** Whether its notifications are hidden as well; default true. */
  readonly notifications?: boolean | undefined;
  /** Seconds until the mute expires; absent or 0: never. */
  readonly duration?: number | undefined;
}

/** Longer mutes never expire. PostgreSQL and JavaScript can represent the time. */
const maxMuteSeconds = 100 * 365 * 86_400;

/** Mutes an account, or changes the mute (MUT-01). No-op for oneself. Throws 404 for an unknown account. */
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
  await transaction(app, async (tx) => {
    const { id } = await writable(tx.db)
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

/** Removes a mute. No-op if there is none. */
export async function unmuteAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await transaction(app, async (tx) => {
    const mute = await writable(tx.db)
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

/** Deletes an expired mute. A mute that was extended has a later job of its own. */
export const expireMute = defineJob(
  'relationship.expire_mute',
  Type.Object({ muteId: idSchema<'row'>() }),
  (app, { muteId }) =>
    transaction(app, async (tx) => {
      const mute = await writable(tx.db)
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
