import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { invalidFields } from '../platform/http/problems.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { passwordErrors } from './check-sign-up.ts';
import { passwordChanged } from './events.ts';
import { sendPasswordChanged, sendPasswordReset } from './mail-jobs.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { hashSecret } from './secrets.ts';

const millisecondsValid = 6 * 3_600_000;

/** Has a link for a new password sent to this address, if a user has it. It takes the same time if nobody does. */
export async function requestPasswordReset(app: App, email: string): Promise<void> {
  await write(app, async ({ enqueue }) => enqueue(sendPasswordReset({ email: email.trim().slice(0, 320) })));
}

/** Says whether a link from a mail can still set a password. */
export async function isResetToken(app: App, token: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('users')
    .select('reset_sent_at')
    .where('reset_token_hash', '=', hashSecret(token))
    .executeTakeFirst();
  return row !== undefined && isFresh(app, row.reset_sent_at);
}

/**
 * Sets a new password by the link from a mail, within six hours and once; ends all sessions and tokens of the user.
 * False when the link is not valid (any more); 422 when the password will not do.
 */
export async function resetPassword(app: App, token: string, password: string): Promise<boolean> {
  const errors = passwordErrors(password);
  if (errors.length > 0) throw invalidFields(errors);
  const passwordHash = await hashPassword(password);
  return write(app, async (write) => {
    const user = await write.db
      .selectFrom('users')
      .select(['id', 'account_id', 'reset_sent_at'])
      .where('reset_token_hash', '=', hashSecret(token))
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined || !isFresh(app, user.reset_sent_at)) return false;
    await storePassword(write, app, { userId: user.id, accountId: user.account_id, passwordHash });
    return true;
  });
}

/**
 * Changes the password of somebody who knows the old one; ends all their sessions and tokens. 422 with `details` when
 * the old one is wrong (`current_password`) or the new one will not do.
 */
export async function changePassword(
  app: App,
  userId: UserId,
  { current, password }: { current: string; password: string },
): Promise<void> {
  await requirePassword(app, userId, current);
  await setPassword(app, userId, password);
}

/** Sets a password without asking for the old one (the command line); ends all sessions and tokens of the user. */
export async function setPassword(app: App, userId: UserId, password: string): Promise<void> {
  const errors = passwordErrors(password);
  if (errors.length > 0) throw invalidFields(errors);
  const passwordHash = await hashPassword(password);
  await write(app, async (write) => {
    const { account_id: accountId } = await write.db
      .selectFrom('users')
      .select('account_id')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await storePassword(write, app, { userId, accountId, passwordHash });
  });
}

/** 422 with `details` for `field` when it is not the user's password. */
export async function requirePassword(
  app: App,
  userId: UserId,
  password: string,
  field = 'current_password',
): Promise<void> {
  const user = await app.db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  if (await isPassword(password, user?.password_hash)) return;
  throw invalidFields([{ field, error: 'ERR_INVALID', description: 'is not right' }]);
}

async function storePassword(
  { db, emit, enqueue }: Write,
  app: App,
  { userId, accountId, passwordHash }: { userId: UserId; accountId: AccountId; passwordHash: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, reset_token_hash: null, reset_sent_at: null, updated_at: app.clock.now() })
    .where('id', '=', userId)
    .execute();
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
  enqueue(sendPasswordChanged({ userId }));
  emit(passwordChanged({ userId, accountId }));
}

function isFresh(app: App, sentAt: Date | null): boolean {
  return sentAt !== null && app.clock.now().getTime() - sentAt.getTime() <= millisecondsValid;
}
