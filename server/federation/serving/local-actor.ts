import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import { instanceActorName, isInstanceActorName } from '../../accounts/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { forbidden, gone, notFound } from '../../platform/http/http-errors.ts';

/**
 * Returns the local account with this name. Throws 404 if it does not exist or is not activated, 410 if it was deleted.
 */
export async function requireLocalActor(app: App, username: string): Promise<AccountRow> {
  const isInstance = isInstanceActorName(app, username);
  if (isInstance) await ensureInstanceActor(app);
  const name = isInstance ? instanceActorName(app) : username;
  const account = await app.db
    .selectFrom('accounts')
    .selectAll()
    .where(sql<boolean>`lower(username) = ${name.toLowerCase()}`)
    .where(sql<boolean>`coalesce(domain, '') = ''`)
    .executeTakeFirst();
  if (account === undefined || !account.activated) throw notFound();
  if (account.deleted_at !== null) throw gone();
  return account;
}

/** Like `requireLocalActor`, but throws 403 for a suspended account. */
export async function requireActiveActor(app: App, username: string): Promise<AccountRow> {
  const account = await requireLocalActor(app, username);
  if (account.suspended_at !== null) throw forbidden();
  return account;
}
