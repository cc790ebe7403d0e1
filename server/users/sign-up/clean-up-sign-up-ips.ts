import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { writable } from '../tables.ts';

const retentionDays = 365;

/** Deletes the IP addresses of sign-ups after a year (reference/limits.tsv, IP retention). */
export async function cleanUpSignUpIps(app: App): Promise<void> {
  const oldest = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('users')
      .set({ sign_up_ip: null })
      .where('created_at', '<', oldest)
      .where('sign_up_ip', 'is not', null)
      .execute();
  });
}
