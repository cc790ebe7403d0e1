import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { instanceActorId, instanceActorName, instanceActorUri } from '../actor-urls.ts';
import { writable } from '../tables.ts';

export const storedActors = new LoadingCache<typeof instanceActorId, true>({
  name: 'accounts.instance_actor',
  maxSize: 1,
  ttlMs: 86_400_000,
  load: async (app) => {
    await storeInstanceActor(app);
    return true;
  },
});

/** Stores the instance actor if it does not exist. Each process checks once a day. */
export async function ensureInstanceActor(app: App): Promise<void> {
  await storedActors.get(app, instanceActorId);
}

async function storeInstanceActor(app: App): Promise<void> {
  const now = app.clock.now();
  const username = instanceActorName(app);
  await transaction(app, async ({ db }) => {
    await writable(db)
      .insertInto('accounts')
      .values({
        id: instanceActorId,
        username,
        uri: instanceActorUri(app),
        actor_type: 'Application',
        locked: true,
        discoverable: false,
        hide_collections: true,
        created_at: now,
        updated_at: now,
      })
      // The configured domain may have changed.
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ username }).where('accounts.username', '<>', username),
      )
      .execute();
    await writable(db)
      .insertInto('account_stats')
      .values({ account_id: instanceActorId })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .execute();
  });
}
