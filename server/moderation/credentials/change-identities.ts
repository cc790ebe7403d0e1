import type { App } from '../../platform/app.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { linkIdentity, unlinkProvider } from '../../users/identity-providers/index.ts';
import { createSignInLink } from '../../users/sign-in-links/index.ts';
import { lockTarget } from './change-credentials.ts';

interface IdentityTarget {
  readonly accountId: AccountId;
  readonly provider: SignInProvider;
}

/**
 * Links an account at a provider to a user, by its subject there. No-op if it is linked to them already. Throws 422 if it is linked to another user or the user to another one there, 403 and 404 like `resetPasswordAsStaff`.
 */
export function linkIdentityAsStaff(
  app: App,
  staff: Staff,
  { accountId, provider, subject }: IdentityTarget & { readonly subject: string },
): Promise<void> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    const identity = { userId: user.id, issuer: provider.issuer, claims: { subject, isEmailVerified: false } };
    if (!(await linkIdentity(tx, app, identity))) throw unprocessable('users.otherSignIn');
    const after = { provider: provider.name, subject };
    recordStaffAction(tx, staff, { target: 'user', verb: 'link', id: user.id, label: user.username, after });
  });
}

/** Unlinks the account of a user at a provider. Returns false if none is linked. Throws like `resetPasswordAsStaff`. */
export function unlinkIdentityAsStaff(
  app: App,
  staff: Staff,
  { accountId, provider }: IdentityTarget,
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    const subject = await unlinkProvider(tx, user.id, provider.issuer);
    if (subject === undefined) return false;
    const before = { provider: provider.name, subject };
    recordStaffAction(tx, staff, { target: 'user', verb: 'unlink', id: user.id, label: user.username, before });
    return true;
  });
}

/** Creates a link that signs a user in once, within half an hour. Throws like `resetPasswordAsStaff`. */
export function createSignInLinkAsStaff(
  app: App,
  staff: Staff,
  { accountId }: { readonly accountId: AccountId },
): Promise<string> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    const link = await createSignInLink(tx, app, user.id);
    recordStaffAction(tx, staff, { target: 'user', verb: 'create_sign_in_link', id: user.id, label: user.username });
    return link;
  });
}
