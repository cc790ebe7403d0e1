import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import { isOneTimeSecret, ensureOneTimeSecret, consumeOneTimeSecret } from '../../site/index.ts';
import { prepareUser, rethrowTakenError, insertUser, type CreatedUser, type NewUser } from './create-user.ts';
import { deleteOwnerSecret, ownerSecretName } from './owner-secret.ts';
import { standardRoles } from '../access/roles.ts';
import { newSecret } from '../sign-in/secrets.ts';

/**
 * Returns the link with which the first owner signs up. It works once and is the same in every process and after a
 * restart. Undefined once there is an owner.
 */
export async function createOwnerSetupLink(app: App): Promise<string | undefined> {
  const secret = await transaction(app, async (tx) => {
    if (!(await hasOwner(tx.db))) return ensureOneTimeSecret(tx, app, ownerSecretName, newSecret());
    await deleteOwnerSecret(tx);
    return undefined;
  });
  return secret === undefined ? undefined : `${app.config.baseUrl}/setup?token=${secret}`;
}

/** Returns whether the secret of an owner setup link is valid. */
export async function isOwnerSetupSecret(app: App, secret: string): Promise<boolean> {
  return !(await hasOwner(app.db)) && isOneTimeSecret(app, ownerSecretName, secret);
}

/** Creates the owner, confirmed and approved. Throws 403 if the secret of the link is invalid, 422 as `createUser`. */
export async function createOwner(
  app: App,
  secret: string,
  owner: Pick<NewUser, 'username' | 'email' | 'password' | 'locale' | 'ip'>,
): Promise<CreatedUser> {
  if (!(await isOwnerSetupSecret(app, secret))) throw forbidden();
  const user = { ...owner, confirmed: true, approved: true, roleId: standardRoles.owner, allowReserved: true } as const;
  const prepared = await prepareUser(app, user);
  return transaction(app, async (tx) => {
    if (!(await consumeOneTimeSecret(tx, ownerSecretName, secret))) throw forbidden();
    return insertUser(tx, app, prepared);
  }).catch(rethrowTakenError);
}

async function hasOwner(db: App['db']): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role_id', '=', standardRoles.owner).executeTakeFirst();
  return row !== undefined;
}
