import type { App } from '../../platform/app.ts';
import type { UserId } from '../../platform/ids.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { createPendingSignIn } from '../second-factor/pending-sign-ins.ts';
import { writable } from '../tables.ts';
import { recordOrigin, type SignInOrigin } from '../sign-in/origins.ts';
import { hashSecret, newSecret } from '../sign-in/secrets.ts';
import { checkOrigin, createSession } from '../sign-in/sessions.ts';
import type { SignedIn } from '../sign-in/sign-in.ts';

const signInLinkTtlMinutes = 30;

/** Stores a link that signs a user in once, within half an hour, and returns it. A second factor is still asked for. */
export async function createSignInLink({ db }: Transaction, app: App, userId: UserId): Promise<string> {
  const secret = newSecret();
  const expires_at = new Date(app.clock.now().getTime() + signInLinkTtlMinutes * 60_000);
  await writable(db)
    .insertInto('sign_in_links')
    .values({ token_hash: hashSecret(secret), user_id: userId, expires_at })
    .execute();
  return `${app.config.baseUrl}/auth/sign_in/link?token=${secret}`;
}

/** Whether a link can be used now. */
export async function isSignInLink({ db, clock }: Pick<App, 'db' | 'clock'>, secret: string): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_links')
    .select('user_id')
    .where('token_hash', '=', hashSecret(secret))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row !== undefined;
}

/** Signs in by a link, as `signIn` does. Undefined if it is unknown, expired or used. */
export async function signInByLink(app: App, secret: string, from: SignInOrigin): Promise<SignedIn | undefined> {
  const origin = await checkOrigin(app, from);
  return transaction(app, async (tx) => {
    const link = await writable(tx.db)
      .deleteFrom('sign_in_links')
      .where('token_hash', '=', hashSecret(secret))
      .where('expires_at', '>', app.clock.now())
      .returning('user_id')
      .executeTakeFirst();
    if (link === undefined) return undefined;
    const { user_id: userId } = link;
    const { has_second_factor: needsSecondFactor } = await tx.db
      .selectFrom('users')
      .select('has_second_factor')
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirstOrThrow();
    if (needsSecondFactor) return { userId, needsSecondFactor, secret: await createPendingSignIn(tx, app, userId) };
    await recordOrigin(tx, app, userId, origin);
    return { userId, needsSecondFactor, secret: await createSession(tx, app, userId, origin) };
  });
}
