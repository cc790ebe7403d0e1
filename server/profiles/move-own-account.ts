import { findLastMoveDate, markMoved, unmarkMoved } from '../accounts/move/index.ts';
import { requireAccount } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { invalidFieldsError } from '../platform/http/http-errors.ts';
import { message, type Message } from '../platform/i18n/message.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { resolveFreshAccount } from './resolve-fresh-account.ts';
import { assertPassword, type PasswordAttempt } from '../users/sign-in/index.ts';

const dayMs = 86_400_000;
/** Minimum number of days between two moves of a local account (reference/limits.tsv). */
const cooldownDays = 30;

/**
 * Moves a local account, with its followers, to an account that lists it as an alias. A remote target is fetched again
 * first. Throws 422 with `details` for a wrong password, an invalid target, and within thirty days of another move; 503
 * if the remote server does not respond. No-op for the current target.
 */
export async function moveOwnAccount(
  app: App,
  viewer: { readonly accountId: AccountId; readonly userId: UserId },
  { acct, ...attempt }: PasswordAttempt & { acct: string },
): Promise<void> {
  const { accountId } = viewer;
  await assertPassword(app, viewer.userId, attempt, 'password');
  const account = await requireAccount(app, accountId);
  const target = await resolveFreshAccount(app, acct);
  if (target !== undefined && account.moved_to_account_id === target.id) return;
  if (target === undefined || target.suspended_at !== null) throw invalidTarget(message('problems.notFound'));
  if (target.id === accountId) throw invalidTarget(message('problems.accountItself'));
  if (target.moved_to_account_id !== null) throw invalidTarget(message('problems.hasMoved'));
  if (!target.also_known_as.includes(account.uri)) throw invalidTarget(message('problems.noAlias'));
  const last = await findLastMoveDate(app, accountId);
  if (last !== undefined && app.clock.now().getTime() - last.getTime() < cooldownDays * dayMs) {
    throw invalidTarget(message('problems.recentMove', { days: cooldownDays }));
  }
  await transaction(app, (tx) => markMoved(tx, app, accountId, target.id));
}

const invalidTarget = (description: Message) =>
  invalidFieldsError([{ field: 'acct', error: 'ERR_INVALID', description }]);

/** Removes the move target of an account. The followers who moved do not return. */
export async function undoMove(app: App, accountId: AccountId): Promise<void> {
  await transaction(app, (tx) => unmarkMoved(tx, app, accountId));
}
