import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';

/** An account that is gone has no collections, and stands in none. */
export async function forgetAccount(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await write(app, async ({ db }) => {
    await db.deleteFrom('collections').where('account_id', '=', accountId).execute();
    await db.deleteFrom('collection_items').where('account_id', '=', accountId).execute();
  });
}
