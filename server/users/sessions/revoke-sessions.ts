import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { SessionId, UserId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import { endSessions } from './end-sessions.ts';

/** Which sessions of a user: one, or all but one; by default all. */
interface WhichSessions {
  readonly only?: SessionId | undefined;
  readonly except?: SessionId | undefined;
}

/** Ends sessions of a user, and without `only` links of the command line and sign-ins that wait for the second factor. Returns how many sessions ended. */
export async function revokeSessions(
  tx: Transaction,
  userId: UserId,
  { only, except }: WhichSessions = {},
): Promise<number> {
  const { db } = tx;
  let sessions = writable(db).deleteFrom('sessions').where('user_id', '=', userId);
  if (only !== undefined) sessions = sessions.where('id', '=', only);
  if (except !== undefined) sessions = sessions.where('id', '<>', except);
  if (only === undefined) {
    await writable(db).deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
    await writable(db).deleteFrom('sign_in_links').where('user_id', '=', userId).execute();
  }
  return endSessions(tx, sessions);
}

/** Ends all sessions of a user but `except`. */
export const revokeOtherSessions = (app: App, userId: UserId, except?: SessionId): Promise<number> =>
  transaction(app, (tx) => revokeSessions(tx, userId, { except }));

/** Ends one session of a user, with its push subscription. Throws 404 if it is not a session of this user. */
export async function revokeSession(app: App, userId: UserId, id: SessionId): Promise<void> {
  await transaction(app, async (tx) => {
    if ((await revokeSessions(tx, userId, { only: id })) === 0) throw notFound();
  });
}
