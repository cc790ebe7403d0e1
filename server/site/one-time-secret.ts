import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/**
 * Returns the one-time secret with a name. Stores `newSecret` if there is none. It is stored in plain text, because several
 * processes show the same one.
 */
export async function ensureOneTimeSecret(
  { db }: Transaction,
  app: App,
  name: string,
  newSecret: string,
): Promise<string> {
  const { rows } = await sql<{ secret: string }>`
    insert into site_settings as stored (name, value, updated_at)
    values (${settingNameOf(name)}, ${JSON.stringify({ secret: newSecret })}, ${app.clock.now()})
    on conflict (name) do update
      set value = case when stored.value ? 'secret' then stored.value else excluded.value end
    returning value ->> 'secret' as secret`.execute(db);
  return rows[0]?.secret ?? newSecret;
}

/** Whether this is the secret with this name. Compares in constant time. */
export async function isOneTimeSecret({ db }: Pick<App, 'db'>, name: string, secret: string): Promise<boolean> {
  const row = await db
    .selectFrom('site_settings')
    .select('value')
    .where('name', '=', settingNameOf(name))
    .executeTakeFirst();
  const stored = Buffer.from((row?.value as { secret?: string } | undefined)?.secret ?? '');
  const given = Buffer.from(secret);
  return stored.length > 0 && stored.length === given.length && timingSafeEqual(stored, given);
}

/** Deletes the secret if it matches. Returns false otherwise; of two concurrent calls, only one gets true. */
export async function consumeOneTimeSecret(tx: Transaction, name: string, secret: string): Promise<boolean> {
  if (!(await isOneTimeSecret(tx, name, secret))) return false;
  const { numDeletedRows } = await writable(tx.db)
    .deleteFrom('site_settings')
    .where('name', '=', settingNameOf(name))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the secret with this name, if there is one. */
export async function deleteOneTimeSecret({ db }: Transaction, name: string): Promise<void> {
  await writable(db).deleteFrom('site_settings').where('name', '=', settingNameOf(name)).execute();
}

const settingNameOf = (name: string): string => `secret:${name}`;
