import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { CacheEntries } from '../caching/cache-entries.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Sources of addresses. Each throws if it finds none. */
export interface HostResolvers {
  /** Queries DNS, without a thread. */
  readonly dns: (hostname: string) => Promise<LookupAddress[]>;
  /** Calls the system's resolver, which reads the hosts file. Blocks one of the few threads of the process. */
  readonly system: (hostname: string) => Promise<LookupAddress[]>;
}

const cacheTtlMs = 60_000;
const maxCachedHosts = 5_000;

/**
 * Creates a resolver that blocks at most one thread, so that dead name servers do not delay file access and password
 * hashing. It queries DNS first, and the system for names without a dot or, one at a time, if DNS finds nothing. Results
 * are cached for a minute.
 */
export function createResolver(
  sources: HostResolvers = { dns: createDnsResolver(), system: resolveWithSystem },
): Resolve {
  let systemIsBusy = false;

  const resolveExclusively = async (hostname: string): Promise<LookupAddress[]> => {
    systemIsBusy = true;
    try {
      return await sources.system(hostname);
    } finally {
      systemIsBusy = false;
    }
  };

  const resolve = async (hostname: string): Promise<LookupAddress[]> => {
    if (!hostname.replace(/\.$/, '').includes('.') || /\.localhost\.?$/.test(hostname)) return sources.system(hostname);
    try {
      return await sources.dns(hostname);
    } catch (error) {
      if (systemIsBusy) throw error;
      return resolveExclusively(hostname);
    }
  };

  const cache = new CacheEntries<string, LookupAddress[]>({ maxSize: maxCachedHosts, ttlMs: cacheTtlMs });
  const resolveCached = async (hostname: string): Promise<LookupAddress[]> =>
    cache.get(hostname) ?? (await cache.load(hostname, () => resolve(hostname))) ?? [];

  return (hostname, callback) => {
    resolveCached(hostname).then(
      (addresses) => process.nextTick(callback, null, addresses),
      (error: NodeJS.ErrnoException) => process.nextTick(callback, error, []),
    );
  };
}

function createDnsResolver(): HostResolvers['dns'] {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const [four, six] = found.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const addresses = [
      ...(four ?? []).map((address) => ({ address, family: 4 })),
      ...(six ?? []).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0)
      throw found.find((answer) => answer.status === 'rejected')?.reason ?? new Error(`${hostname} has no address`);
    return addresses;
  };
}

const resolveWithSystem: HostResolvers['system'] = (hostname) => lookup(hostname, { all: true });
