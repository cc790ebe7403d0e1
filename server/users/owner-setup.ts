import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { forbidden } from '../platform/http/problems.ts';
import { isOneTimeSecret, storeOneTimeSecret, useOneTimeSecret } from '../site/index.ts';
import { prepareUser, refuseTaken, storeUser, type CreatedUser } from './create-user.ts';
import { standardRoles } from './roles.ts';
import { hashSecret, newSecret } from './secrets.ts';

const secretName = 'owner-setup';

/**
 * A link that lets whoever opens it become the owner of this server, once; a link given before ends. Undefined as soon
 * as there is an owner.
 */
export async function ownerSetupLink(app: App): Promise<string | undefined> {
  if (await hasOwner(app)) return undefined;
  const secret = newSecret();
  await write(app, (write) => storeOneTimeSecret(write, app, secretName, hashSecret(secret)));
  return `${app.config.baseUrl}/setup?token=${secret}`;
}

/** Says whether the secret of such a link is still good. */
export async function isOwnerSetupSecret(app: App, secret: string): Promise<boolean> {
  return !(await hasOwner(app)) && isOneTimeSecret(app, secretName, hashSecret(secret));
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
    if (!(await useOneTimeSecret(write, secretName, hashSecret(secret)))) throw forbidden();
    return storeUser(write, app, prepared);
  }).catch(refuseTaken);
}

async function hasOwner(app: App): Promise<boolean> {
  const row = await app.db
    .selectFrom('users')
    .select('id')
    .where('role_id', '=', standardRoles.owner)
    .executeTakeFirst();
  return row !== undefined;
}
