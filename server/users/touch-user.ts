import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { UserId } from '../platform/ids.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';

const hourMs = 3_600_000;

/** When each user's use was last noted, in milliseconds since the epoch. */
const lastTouched = perApp(() => new Cache<UserId, number>({ size: 20_000, ttl: hourMs * 24 }));

/** Notes in the background that someone uses the server, at most once an hour; the request does not wait for it. */
export function touchUser(app: App, { userId }: { readonly userId: UserId }): void {
  const now = app.clock.now();
  const last = lastTouched(app).get(userId);
  if (last !== undefined && now.getTime() - last < hourMs) return;
  lastTouched(app).set(userId, now.getTime());
  transaction(app, async ({ db }) => {
    await db
      .updateTable('users')
      .set({ last_active_at: now })
      .where('id', '=', userId)
      .where((where) => where.or([where('last_active_at', 'is', null), where('last_active_at', '<', now)]))
      .execute();
  }).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.warn({ err: error }, 'could not note that a user is active');
  });
}
