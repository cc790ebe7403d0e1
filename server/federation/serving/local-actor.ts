import { ensureInstanceActor, instanceActorName, type AccountRow } from '../../accounts/index.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { forbidden, gone, notFound } from '../../platform/http/http-errors.ts';

/** The local account of a name, for its documents: 404 when nobody may know of it, 410 when it is gone for good. */
export async function requireLocalActor(app: App, username: string): Promise<AccountRow> {
  if (username === instanceActorName(app)) await ensureInstanceActor(app);
  const account = await app.db
    .selectFrom('accounts')
    .selectAll()
    .where(sql<boolean>`lower(username) = ${username.toLowerCase()}`)
    .where(sql<boolean>`coalesce(domain, '') = ''`)
    .executeTakeFirst();
  if (account === undefined || !account.activated) throw notFound();
  if (account.deleted_at !== null) throw gone();
  return account;
}

/** The same, for what a suspended account no longer shows (403). */
export async function requireActiveActor(app: App, username: string): Promise<AccountRow> {
  const account = await requireLocalActor(app, username);
  if (account.suspended_at !== null) throw forbidden();
  return account;
}
