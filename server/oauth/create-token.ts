import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { newId, type ApplicationId, type TokenId, type UserId } from '../platform/ids.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { hashSecret, newSecret } from '../users/sign-in/index.ts';
import { writable } from './tables.ts';

/** A token to create. */
export interface NewToken {
  /** Null: the application acts for itself. */
  readonly userId: UserId | null;
  readonly applicationId: ApplicationId | null;
  readonly scopes: readonly string[];
}

/** Creates an access token, which does not expire, and returns it. Only its hash is stored. */
export async function createToken(app: App, token: NewToken): Promise<string> {
  const { secret } = await transaction(app, (tx) => insertToken(tx, app, token));
  return secret;
}

/** Creates a token in the name of a user for staff, who can act as the user with it. */
export async function createTokenAsStaff(
  app: App,
  staff: Staff,
  token: NewToken & { readonly userId: UserId },
): Promise<string> {
  const { secret } = await transaction(app, async (tx) => {
    const account = await tx.db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['accounts.id', 'accounts.username'])
      .where('users.id', '=', token.userId)
      .executeTakeFirstOrThrow();
    recordStaffAction(tx, staff, {
      target: 'user',
      verb: 'create_token',
      id: account.id,
      label: account.username,
      after: { scopes: token.scopes },
    });
    return insertToken(tx, app, token);
  });
  return secret;
}

/** `createToken` inside a transaction. */
export async function insertToken(
  { db }: Transaction,
  app: App,
  { userId, applicationId, scopes }: NewToken,
): Promise<{ id: TokenId; secret: string; createdAt: Date }> {
  const now = app.clock.now();
  const id = newId<'token'>(now);
  const secret = newSecret();
  await writable(db)
    .insertInto('oauth_tokens')
    .values({
      id,
      token_hash: hashSecret(secret),
      application_id: applicationId,
      user_id: userId,
      scopes: scopes.join(' '),
      created_at: now,
      last_used_at: now,
    })
    .execute();
  if (applicationId !== null && userId !== null)
    await writable(db)
      .updateTable('oauth_applications')
      .set({ authorized_at: now })
      .where('id', '=', applicationId)
      .where('authorized_at', 'is', null)
      .execute();
  return { id, secret, createdAt: now };
}
