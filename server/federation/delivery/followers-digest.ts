import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
import type { AccountId } from '../../platform/ids.ts';
import { relationsChanged } from '../../relationships/index.ts';
import { sha256Hex } from '../signatures/digests.ts';

/** Accounts with this many followers have no digest (reference/limits.tsv). */
const maxFollowers = 25_000;
const digestTtlMs = 60_000;

/** Digest of the followers of one account on one server, in 64 hexadecimal digits (FEP-8fcf). */
export type FollowersDigest = string;

/** The digest of an empty set. */
export const emptyDigest: FollowersDigest = '0'.repeat(64);

/** Returns the digest of actor ids: the exclusive or of their SHA-256 hashes, independent of order. */
export function followersDigest(uris: Iterable<string>): FollowersDigest {
  let digest = 0n;
  for (const uri of uris) digest ^= BigInt(`0x${sha256Hex(uri)}`);
  return digest.toString(16).padStart(64, '0');
}

/**
 * Computes the digest over the rows of a group in the database, because many thousands of hashes would block the
 * process.
 */
const digestBits = (uri: RawBuilder<string>) =>
  sql<string>`bit_xor(('x' || encode(sha256(convert_to(${uri}, 'UTF8')), 'hex'))::bit(256))::text`;

const fromBits = (bits: string): FollowersDigest => BigInt(`0b${bits}`).toString(16).padStart(64, '0');

const evictOn = [evict(relationsChanged, ({ accountId }) => [accountId])];

export const outgoingCache = new LoadingCache<AccountId, ReadonlyMap<string, FollowersDigest> | 'too_many'>({
  name: 'federation.outgoing_digests',
  maxSize: 1_000,
  ttlMs: digestTtlMs,
  load: async (app, id) => (await loadDigestsByHost(app, id)) ?? 'too_many',
  evictOn,
});

export const incomingCache = new LoadingCache<AccountId, LocalFollowers>({
  name: 'federation.incoming_digests',
  maxSize: 10_000,
  ttlMs: digestTtlMs,
  load: loadLocalFollowers,
  evictOn,
});

/** Returns the digest of a local account's followers on a host; undefined for an account with very many followers. */
export async function remoteFollowersDigest(
  app: App,
  accountId: AccountId,
  host: string,
): Promise<FollowersDigest | undefined> {
  const byHost = await outgoingCache.get(app, accountId);
  return byHost === 'too_many' ? undefined : (byHost.get(host) ?? emptyDigest);
}

/** The local followers of a remote account. */
export interface LocalFollowers {
  /** URL of the collection of all its followers. */
  readonly collection: string | null;
  readonly digest: FollowersDigest;
}

export function getLocalFollowers(app: App, accountId: AccountId): Promise<LocalFollowers> {
  return incomingCache.get(app, accountId);
}

async function loadDigestsByHost(app: App, id: AccountId): Promise<ReadonlyMap<string, FollowersDigest> | undefined> {
  const stats = await app.db
    .selectFrom('account_stats')
    .select('followers_count')
    .where('account_id', '=', id)
    .executeTakeFirst();
  if (stats === undefined || stats.followers_count >= maxFollowers) return undefined;
  const { rows } = await sql<{ host: string; bits: string }>`
    select split_part(account.uri, '/', 3) as host, ${digestBits(sql`account.uri`)} as bits
    from follows join accounts account on account.id = follows.account_id
    where follows.target_account_id = ${id}::bigint and account.domain is not null and account.suspension_origin is distinct from 'local'
    group by 1`.execute(app.db);
  return new Map(rows.map(({ host, bits }) => [host, fromBits(bits)]));
}

async function loadLocalFollowers(app: App, id: AccountId): Promise<LocalFollowers> {
  const { rows } = await sql<{ collection: string | null; bits: string | null }>`
    select target.followers_url as collection, (
      select ${digestBits(sql`account.uri`)}
      from follows join accounts account on account.id = follows.account_id
      where follows.target_account_id = target.id and account.domain is null) as bits
    from accounts target where target.id = ${id}::bigint`.execute(app.db);
  const [row] = rows;
  return { collection: row?.collection ?? null, digest: row?.bits == null ? emptyDigest : fromBits(row.bits) };
}
