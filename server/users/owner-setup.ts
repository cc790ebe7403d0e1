import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { forbidden } from '../platform/http/problems.ts';
import { isOneTimeSecret, oneTimeSecret, useOneTimeSecret } from '../site/index.ts';
import { prepareUser, refuseTaken, storeUser, type CreatedUser } from './create-user.ts';
import { endOwnerSetup, ownerSecret } from './owner-secret.ts';
import { standardRoles } from './roles.ts';
import { newSecret } from './secrets.ts';

/**
 * Returns the link that makes whoever opens it the owner of the server, once: the same for every process and after a
 * restart. Undefined as soon as there is an owner.
 */
export async function ownerSetupLink(app: App): Promise<string | undefined> {
  const secret = await write(app, async (write) => {
    if (!(await hasOwner(write.db))) return oneTimeSecret(write, app, ownerSecret, newSecret());
    await endOwnerSetup(write);
    return undefined;
  });
  return secret === undefined ? undefined : `${app.config.baseUrl}/setup?token=${secret}`;
}

/** Says whether the secret of such a link is still good. */
export async function isOwnerSetupSecret(app: App, secret: string): Promise<boolean> {
  return !(await hasOwner(app.db)) && isOneTimeSecret(app, ownerSecret, secret);
}

/** Makes the owner, confirmed and approved, with the secret of the link: 403 when it is not good (any more), 422 as createUser. */
export async function createOwner(
  app: App,
  secret: string,
  owner: { username: string; email: string; password: string; ip?: string },
): Promise<CreatedUser> {
  if (!(await isOwnerSetupSecret(app, secret))) throw forbidden();
  const user = { ...owner, confirmed: true, approved: true, role: 'owner', evenReserved: true } as const;
  const prepared = await prepareUser(app, user);
  return write(app, async (write) => {
    if (!(await useOneTimeSecret(write, ownerSecret, secret))) throw forbidden();
    return storeUser(write, app, prepared);
  }).catch(refuseTaken);
}

async function hasOwner(db: App['db']): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role_id', '=', standardRoles.owner).executeTakeFirst();
  return row !== undefined;
}
