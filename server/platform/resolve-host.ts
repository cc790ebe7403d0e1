import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { LoadingCache } from './cache.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The ways to find addresses; each throws when it finds none. */
export interface HostResolvers {
  /** Asks DNS; costs no thread while it waits. */
  readonly dns: (hostname: string) => Promise<LookupAddress[]>;
  /** The system's own way, which knows its hosts file; holds one of the few threads of the process while it waits. */
  readonly system: (hostname: string) => Promise<LookupAddress[]>;
}

const cacheTtlMs = 60_000;
const maxCachedHosts = 5_000;

/**
 * Finds addresses without ever holding more than one thread: names whose servers are dead must not keep the process
 * from its files and passwords. DNS is asked first; the system only for names without a dot, or when DNS knows nothing
 * and nobody else waits for the system. Answers are kept for a minute.
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

  const cache = new LoadingCache<string, LookupAddress[]>({
    size: maxCachedHosts,
    ttl: cacheTtlMs,
    async load(hostname) {
      if (!hostname.replace(/\.$/, '').includes('.') || /\.localhost\.?$/.test(hostname))
        return sources.system(hostname);
      try {
        return await sources.dns(hostname);
      } catch (error) {
        if (systemIsBusy) throw error;
        return resolveExclusively(hostname);
      }
    },
  });

  return (hostname, callback) => {
    cache.get(hostname).then(
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
