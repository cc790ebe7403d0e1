import type { App } from '../../platform/app.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { UserId } from '../../platform/ids.ts';
import { findKnownOrigin, type SignInOrigin } from './origins.ts';

const maxAttemptsPerHour = 25;

/**
 * Counts an attempt at a credential of a user: password, code or recovery code. Throws 429 after 25 an hour. A browser or
 * address from which the user signed in before has a budget of its own, so that attackers elsewhere cannot lock the owner
 * out. Otherwise a sign-in counts for the name that was entered: a budget of the user would reveal which address and
 * username belong together, and which exist.
 */
export async function countCredentialAttempt(
  app: App,
  { userId, name, origin }: { userId: UserId | undefined; name?: string; origin: SignInOrigin },
): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const knownOrigin = userId === undefined ? undefined : await findKnownOrigin(app, userId, origin);
  const stranger = name === undefined ? `user:${userId}` : `name:${name.slice(0, 320)}`;
  const subject = knownOrigin === undefined ? stranger : `user:${userId}:${knownOrigin}`;
  const { remaining } = await app.rateLimiter.take(`credentials:${subject}`, maxAttemptsPerHour, 3600);
  if (remaining < 0) throw tooManyRequests();
}
