import { isIP } from 'node:net';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { parseIPv6 } from '../../platform/rate-limits/address-block.ts';
import { reportTemporaryFailure } from '../../platform/temporary-failures.ts';

const dayMs = 86_400_000;
/** Addresses of one user; older ones are deleted. */
const maxPerUser = 50;

interface AddressUse {
  readonly userId: UserId;
  readonly ip: string;
}

/** When the use of an address was last recorded, in milliseconds since the epoch, by user and address. */
export const recordedIps = new Cache<string, number>({ name: 'users.recorded_ips', maxSize: 20_000, ttlMs: dayMs });

/** Records in the background that a user uses an address, at most once a day. */
export function recordUserIp(app: App, use: AddressUse): void {
  const now = app.clock.now().getTime();
  const key = `${use.userId} ${use.ip}`;
  const last = recordedIps.peek(app, key);
  if (last !== undefined && now - last < dayMs) return;
  recordedIps.set(app, key, now);
  transaction(app, (tx) => storeUserIp(tx, app, use)).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.warn({ err: error }, 'could not record the address of a user');
  });
}

/** Stores that a user uses an address. No-op within a day of the last time, and if the user was deleted. */
export async function storeUserIp({ db }: Transaction, app: App, { userId, ip }: AddressUse): Promise<void> {
  const address = normalizeAddress(ip);
  if (address === undefined) return;
  const now = app.clock.now();
  const { rows } = await sql`
    insert into user_ips (user_id, ip, used_at)
    select id, ${address}::inet, ${now}::timestamptz from users where id = ${userId} for key share
    on conflict (user_id, ip) do update set used_at = excluded.used_at
      where user_ips.used_at <= excluded.used_at - interval '1 day'
    returning ip`.execute(db);
  if (rows.length === 0) return;
  await sql`
    delete from user_ips where user_id = ${userId} and ip in (
      select ip from user_ips where user_id = ${userId} order by used_at desc, ip offset ${maxPerUser})`.execute(db);
}

/** Returns an address as PostgreSQL reads it: without a zone, and an IPv4-mapped one as IPv4. Undefined if it is none. */
function normalizeAddress(text: string): string | undefined {
  const [address = ''] = text.split('%', 1);
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  const parsed = parseIPv6(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : address;
}
