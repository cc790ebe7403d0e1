import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { followAccount } from './follow-account.ts';

/**
 * Follows an account for a new user. Returns `impossible` if there is nothing to follow, because it blocks the user or was
 * deleted, and `too many` if the user follows as many accounts as one may.
 */
export async function followIfPossible(
  app: App,
  accountId: AccountId,
  targetId: AccountId,
): Promise<'following' | 'requested' | 'impossible' | 'too many'> {
  try {
    return await followAccount(app, accountId, targetId);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 422) return 'too many';
    if (error.status === 403 || error.status === 404) return 'impossible';
    throw error;
  }
}
