import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';

const daysKept = 365;

/** Forgets from where people signed up once a year has passed (reference/limits.tsv, IP retention). */
export async function forgetAddresses(app: App): Promise<void> {
  const oldest = new Date(app.clock.now().getTime() - daysKept * 86_400_000);
  await write(app, async ({ db }) => {
    await db
      .updateTable('users')
      .set({ sign_up_ip: null })
      .where('created_at', '<', oldest)
      .where('sign_up_ip', 'is not', null)
      .execute();
  });
}
