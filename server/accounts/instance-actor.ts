import { perApp } from '../platform/app.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { actorUrls, instanceActorId, instanceActorName } from './actor-urls.ts';

const ensured = perApp<{ done: Promise<void> | undefined }>(() => ({ done: undefined }));

/** Makes the server's own actor when it is first needed; asks the database once per process. */
export function ensureInstanceActor(app: App): Promise<void> {
  const state = ensured(app);
  state.done ??= insertInstanceActor(app).catch((error: unknown) => {
    state.done = undefined;
    throw error;
  });
  return state.done;
}

async function insertInstanceActor(app: App): Promise<void> {
  const now = app.clock.now();
  const username = instanceActorName(app);
  const { uri } = actorUrls(app, username);
  await transaction(app, async ({ db }) => {
    await db
      .insertInto('accounts')
      .values({
        id: instanceActorId,
        username,
        uri,
        actor_type: 'Application',
        locked: true,
        discoverable: false,
        hide_collections: true,
        created_at: now,
        updated_at: now,
      })
      // The domain may have changed since.
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ username }).where('accounts.username', '<>', username),
      )
      .execute();
    await db
      .insertInto('account_stats')
      .values({ account_id: instanceActorId })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .execute();
  });
}
