import type { App } from '../../platform/app.ts';
import { toError } from '../../platform/errors.ts';
import { newId, type UserId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { writable, type ProviderClaims } from '../tables.ts';

/** Links an account at a provider to a user. */
export async function insertIdentity(
  { db }: Transaction,
  app: App,
  { userId, issuer, claims }: { readonly userId: UserId; readonly issuer: string; readonly claims: ProviderClaims },
): Promise<void> {
  const now = app.clock.now();
  await writable(db)
    .insertInto('identities')
    .values({
      id: newId<'identity'>(now),
      user_id: userId,
      issuer,
      subject: claims.subject,
      email: claims.email ?? null,
      created_at: now,
      last_used_at: now,
    })
    .execute();
}

/**
 * Links an account at a provider to a user, and notifies the user. No-op if it is linked to them already. Returns false if it
 * is linked to another user, or the user to another one there.
 */
export async function linkIdentity(
  tx: Transaction,
  app: App,
  identity: { readonly userId: UserId; readonly issuer: string; readonly claims: ProviderClaims },
): Promise<boolean> {
  const { userId, issuer, claims } = identity;
  const [existing, other] = await tx.db
    .selectFrom('identities')
    .select(['user_id', 'subject'])
    .where('issuer', '=', issuer)
    .where((is) => is.or([is('user_id', '=', userId), is('subject', '=', claims.subject)]))
    .execute();
  if (existing !== undefined)
    return other === undefined && existing.user_id === userId && existing.subject === claims.subject;
  await insertIdentity(tx, app, identity);
  tx.enqueue(sendSecurityNotice({ userId, notice: 'identityLinked' }));
  return true;
}

/** Whether an insert failed because the user or the account at the provider was linked at the same time. */
export const isIdentityConflict = (error: unknown): boolean =>
  ['identities_issuer_subject_key', 'identities_user_id_issuer_key'].includes(toError(error).constraint ?? '');
