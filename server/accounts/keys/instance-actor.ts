import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { actorUrls, instanceActorId, instanceActorName, newInstanceActorUri } from '../actor-urls.ts';
import { writable } from '../tables.ts';

export const storedActors = new LoadingCache<typeof instanceActorId, string>({
  name: 'accounts.instance_actor',
  maxSize: 1,
  ttlMs: 86_400_000,
  load: storeInstanceActor,
});

/** Stores the instance actor if it does not exist, and returns its ActivityPub id. Each process checks once a day. */
export async function ensureInstanceActor(app: App): Promise<string> {
  return actorUrls(app, await storedActors.get(app, instanceActorId)).uri;
}

/** Returns the stored ActivityPub id. */
async function storeInstanceActor(app: App): Promise<string> {
  const now = app.clock.now();
  const username = instanceActorName(app);
  return transaction(app, async ({ db }) => {
    await writable(db)
      .insertInto('accounts')
      .values({
        id: instanceActorId,
        username,
        uri: newInstanceActorUri(app),
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
    const { uri } = await db
      .selectFrom('accounts')
      .select('uri')
      .where('id', '=', instanceActorId)
      .executeTakeFirstOrThrow();
    return uri;
  });
}
