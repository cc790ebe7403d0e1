import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { SessionId, UserId } from '../../platform/ids.ts';
import { addressBlock } from '../../platform/rate-limits/address-block.ts';
import { sendNewSignIn } from '../mails/security-notices.ts';
import { writable } from '../tables.ts';
import { hashSecret } from './secrets.ts';

const dayMs = 86_400_000;
/** Days without a sign-in after which a browser or address counts as new again. */
export const originTtlDays = 180;
/** Remembered browsers and addresses per user; the oldest are forgotten. */
const maxOriginsPerUser = 100;

/** The client of a sign-in. */
export interface SignInOrigin {
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  /** The secret of the cookie by which the browser is recognised. */
  readonly browser?: string | undefined;
  /** The session of the browser. */
  readonly sessionId?: SessionId | undefined;
}

/** Returns the names of an origin: of its browser first, then of its address. */
const namesOf = ({ ip, browser }: SignInOrigin): string[] => [
  ...(browser === undefined || browser === '' ? [] : [`browser:${hashSecret(browser).toString('base64url')}`]),
  ...(ip === undefined ? [] : [`address:${addressBlock(ip)}`]),
];

/** Returns the name of the browser or address from which the user signed in before; undefined for an unknown origin. */
export async function findKnownOrigin(
  { db }: Pick<App, 'db'>,
  userId: UserId,
  origin: SignInOrigin,
): Promise<string | undefined> {
  const names = namesOf(origin);
  const { rows } = await sql<{ origin: string }>`
    select origin from sign_in_origins
    where user_id = ${userId}::bigint and origin = any(${names}::text[])
    order by origin desc limit 1`.execute(db);
  return rows[0]?.origin;
}

/**
 * Remembers the browser and address of a sign-in. The user is notified by mail if either is new, except of the first
 * sign-in.
 */
export async function recordOrigin(tx: Transaction, app: App, userId: UserId, origin: SignInOrigin): Promise<void> {
  const now = app.clock.now();
  const names = namesOf(origin);
  const { rows } = await sql<{ known: number; isFirst: boolean }>`
    select count(*) filter (where origin = any(${names}::text[]))::int as known, count(*) = 0 as "isFirst"
    from sign_in_origins where user_id = ${userId}::bigint`.execute(tx.db);
  const [{ known, isFirst } = { known: 0, isFirst: true }] = rows;
  await sql`
    insert into sign_in_origins (user_id, origin, last_used_at)
    select ${userId}::bigint, name, ${now}::timestamptz from unnest(${names}::text[]) as name
    on conflict (user_id, origin) do update set last_used_at = excluded.last_used_at`.execute(tx.db);
  if (known === names.length) return;
  await deleteOldestOrigins(tx, userId);
  if (isFirst) return;
  const { ip = '', userAgent = '' } = origin;
  tx.enqueue(sendNewSignIn({ userId, ip, userAgent: userAgent.slice(0, 500), at: now.toISOString() }));
}

async function deleteOldestOrigins({ db }: Transaction, userId: UserId): Promise<void> {
  await sql`
    delete from sign_in_origins where user_id = ${userId}::bigint and origin in (
      select origin from sign_in_origins where user_id = ${userId}::bigint
      order by last_used_at desc, origin offset ${maxOriginsPerUser}::int)`.execute(db);
}

/** Deletes browsers and addresses that were not used for long. */
export async function cleanUpOrigins(tx: Transaction, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - originTtlDays * dayMs);
  await writable(tx.db).deleteFrom('sign_in_origins').where('last_used_at', '<', oldest).execute();
}
