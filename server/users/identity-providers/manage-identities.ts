import type { App } from '../../platform/app.ts';
import { notFound, unprocessable } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { UserId } from '../../platform/ids.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { noPassword } from '../sign-in/passwords.ts';
import { writable, type IdentityId } from '../tables.ts';

/** An account at a provider with which a user signs in. */
export interface LinkedIdentity {
  readonly id: IdentityId;
  readonly issuer: string;
  /** Name of the provider in the settings; undefined: they no longer name it, so that nobody can sign in with it. */
  readonly provider: string | undefined;
  /** What people call the provider. */
  readonly label: string;
  readonly subject: string;
  readonly email: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Lists the accounts at providers with which a user signs in, the oldest first. */
export async function listIdentities(
  { db, config }: Pick<App, 'db' | 'config'>,
  userId: UserId,
): Promise<LinkedIdentity[]> {
  const rows = await db
    .selectFrom('identities')
    .select(['id', 'issuer', 'subject', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, issuer, subject, email, created_at: createdAt, last_used_at: lastUsedAt }) => {
    const provider = config.signInProviders.find((each) => each.issuer === issuer);
    const label = provider?.label ?? new URL(issuer).host;
    return { id, issuer, provider: provider?.name, label, subject, email, createdAt, lastUsedAt };
  });
}

/**
 * Unlinks an account at a provider, and notifies the user. Throws 404 if the user has no such account, 422 if they could
 * not sign in any more.
 */
export async function unlinkIdentity(app: App, userId: UserId, id: IdentityId): Promise<void> {
  const issuers = app.config.signInProviders.map(({ issuer }) => issuer);
  await transaction(app, async (tx) => {
    const { password_hash: hash } = await tx.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const identities = await tx.db
      .selectFrom('identities')
      .select(['id', 'issuer'])
      .where('user_id', '=', userId)
      .execute();
    if (!identities.some((each) => each.id === id)) throw notFound();
    const hasOther = identities.some((each) => each.id !== id && issuers.includes(each.issuer));
    const hasPassword = hash !== noPassword && app.config.SIGN_IN === 'any';
    if (!hasOther && !hasPassword) throw unprocessable(message('users.onlySignIn'));
    await writable(tx.db).deleteFrom('identities').where('id', '=', id).execute();
    tx.enqueue(sendSecurityNotice({ userId, notice: 'identityUnlinked' }));
  });
}

/** Unlinks the account of a user at a provider, and notifies the user. Returns its subject; undefined if none is linked. */
export async function unlinkProvider(tx: Transaction, userId: UserId, issuer: string): Promise<string | undefined> {
  const row = await writable(tx.db)
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .returning('subject')
    .executeTakeFirst();
  if (row !== undefined) tx.enqueue(sendSecurityNotice({ userId, notice: 'identityUnlinked' }));
  return row?.subject;
}
