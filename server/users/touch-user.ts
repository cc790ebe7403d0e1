import type { App } from '../platform/app.ts';
import { defineCache } from '../platform/caching/define-cache.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { UserId } from '../platform/ids.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';

const hourMs = 3_600_000;

/** Time of the last recorded activity of each user, in milliseconds since the epoch. */
const lastTouched = defineCache<UserId, number>({ name: 'users.last_touched', maxSize: 20_000, ttlMs: 24 * hourMs });

/** Records in the background that a user is active, at most once an hour. */
export function touchUser(app: App, { userId }: { readonly userId: UserId }): void {
  const now = app.clock.now();
  const last = lastTouched.peek(app, userId);
  if (last !== undefined && now.getTime() - last < hourMs) return;
  lastTouched.set(app, userId, now.getTime());
  transaction(app, async ({ db }) => {
    await db
      .updateTable('users')
      .set({ last_active_at: now })
      .where('id', '=', userId)
      .where((where) => where.or([where('last_active_at', 'is', null), where('last_active_at', '<', now)]))
      .execute();
  }).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.warn({ err: error }, 'could not record the activity of a user');
  });
}
