import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { toError } from '../../platform/errors.ts';

/** Longer than most name servers take, and short for a person who waits. */
const timeoutMs = 2_500;
/** Of one domain; a hostile one may name thousands. */
const maxHosts = 20;

export const mailHostsCache = new LoadingCache<string, readonly string[]>({
  name: 'users.mail_hosts',
  maxSize: 5_000,
  ttlMs: 300_000,
  load: async (app, domain) => (await app.resolveMx(domain, timeoutMs)).slice(0, maxHosts),
});

/**
 * Returns the mail servers of a domain by its MX records; undefined if the name servers do not answer in time. Cached for
 * five minutes.
 */
export async function findMailHosts(app: App, domain: string): Promise<readonly string[] | undefined> {
  try {
    return await mailHostsCache.get(app, domain);
  } catch (error) {
    app.log.info({ domain, reason: toError(error).message }, 'the mail servers of a domain could not be resolved');
    return undefined;
  }
}
