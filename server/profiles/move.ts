import { accountDeleted, findAccountByAcct, markMoved, requireAccount, unmarkMoved } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import { invalidFields } from '../platform/http/problems.ts';
import { on } from '../platform/jobs/events.ts';
import { newId, type AccountId, type UserId } from '../platform/ids.ts';
import { requirePassword } from '../users/index.ts';

const day = 86_400_000;
/** A local account may move once in so many days (reference/limits.tsv). */
const cooldownDays = 30;

/**
 * Moves a local account to another one that is known here and names it as its alias: it points there from now on, and its
 * followers go along. 422 with `details` for a wrong password, a target that will not do, and within thirty days of
 * another move. Again to the same target, it changes nothing.
 */
export async function moveOwnAccount(
  app: App,
  viewer: { readonly accountId: AccountId; readonly userId: UserId },
  { acct, password }: { acct: string; password: string },
): Promise<void> {
  const { accountId } = viewer;
  await requirePassword(app, viewer.userId, password, 'password');
  const account = await requireAccount(app, accountId);
  const target = await findAccountByAcct(app, acct);
  if (target !== undefined && account.moved_to_account_id === target.id) return;
  if (target === undefined || target.suspended_at !== null) throw refused('is not known here: search for it first');
  if (target.id === accountId) throw refused('is the account itself');
  if (target.moved_to_account_id !== null) throw refused('has moved itself');
  if (!target.also_known_as.includes(account.uri)) throw refused('does not name this account as its alias');
  const last = await lastMove(app, accountId);
  if (last !== undefined && app.clock.now().getTime() - last.getTime() < cooldownDays * day) {
    throw refused(`cannot be moved to within ${cooldownDays} days of another move`);
  }
  await inTransaction(app, async (write) => {
    await recordMove(write, app, accountId, target.id);
    await markMoved(write, app, accountId, target.id);
  });
}

const refused = (description: string) => invalidFields([{ field: 'acct', error: 'ERR_INVALID', description }]);

/** Has one's account point nowhere any more. The followers who went along do not come back. */
export async function takeMoveBack(app: App, accountId: AccountId): Promise<void> {
  await inTransaction(app, (write) => unmarkMoved(write, app, accountId));
}

/** When an account, local or remote, last moved. */
export async function lastMove(app: App, accountId: AccountId): Promise<Date | undefined> {
  const move = await app.db
    .selectFrom('account_moves')
    .select('created_at')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return move?.created_at;
}

/** Notes that an account moves now; `markMoved` does it. */
export async function recordMove({ db }: Write, app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  const now = app.clock.now();
  await db
    .insertInto('account_moves')
    .values({ id: newId<'row'>(now), account_id: accountId, target_account_id: targetId, created_at: now })
    .execute();
}

/** Where an account that is gone had moved is of no use. */
export const forgetMoves = on(
  accountDeleted,
  'profiles.forget-moves',
  (app, { accountId }) =>
    inTransaction(app, async ({ db }) => {
      await db.deleteFrom('account_moves').where('account_id', '=', accountId).execute();
    }),
  'slow',
);
