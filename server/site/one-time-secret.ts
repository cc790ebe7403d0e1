import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';

/** Stores the hash of a secret that can be used once, under a name; one stored before ends. */
export async function storeOneTimeSecret({ db }: Write, app: App, name: string, hash: Buffer): Promise<void> {
  const stored = { value: JSON.stringify({ hash: hash.toString('base64url') }), updated_at: app.clock.now() };
  await db
    .insertInto('site_settings')
    .values({ name: `secret:${name}`, ...stored })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(stored))
    .execute();
}

/** Says whether this is the hash of the secret stored under a name. */
export async function isOneTimeSecret({ db }: Pick<App, 'db'>, name: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('site_settings')
    .select('value')
    .where('name', '=', `secret:${name}`)
    .executeTakeFirst();
  return (row?.value as { hash?: string } | undefined)?.hash === hash.toString('base64url');
}

/** Uses the secret up: it is gone with the commit. Of two who try at once, the second waits and is told false. */
export async function useOneTimeSecret({ db }: Write, name: string, hash: Buffer): Promise<boolean> {
  if (!(await isOneTimeSecret({ db }, name, hash))) return false;
  const { numDeletedRows } = await db
    .deleteFrom('site_settings')
    .where('name', '=', `secret:${name}`)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
