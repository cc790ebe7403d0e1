import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { SessionId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

const dayMs = 86_400_000;
/** Days without use after which a session expires. */
export const sessionTtlDays = 60;

/** Whether a session that was last used at a time has expired. */
export const isSessionExpired = ({ clock }: App, lastUsedAt: Date): boolean =>
  clock.now().getTime() - lastUsedAt.getTime() > sessionTtlDays * dayMs;

/** Records that sessions are in use, which keeps them from expiring. */
export async function recordSessionUse({ db }: Transaction, ids: readonly SessionId[], now: Date): Promise<void> {
  await writable(db).updateTable('sessions').set({ last_used_at: now }).where('id', 'in', ids).execute();
}
