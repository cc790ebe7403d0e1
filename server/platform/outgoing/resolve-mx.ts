import { Resolver } from 'node:dns/promises';
import { toError } from '../errors.ts';

/**
 * Returns the names of the mail servers of a domain, preferred ones first. Throws if the name servers fail or are too
 * slow.
 */
export type ResolveMx = (domain: string, timeoutMs: number) => Promise<string[]>;

/** The domain does not exist, has no such records, or is no name. */
const noRecords = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Queries the MX records of a domain, without a thread. */
export const resolveMx: ResolveMx = async (domain, timeoutMs) => {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const records = await resolver.resolveMx(domain);
    return records
      .toSorted((one, other) => one.priority - other.priority)
      .map(({ exchange }) => exchange.replace(/\.$/, '').toLowerCase())
      .filter((exchange) => exchange !== '');
  } catch (error) {
    if (noRecords.has(toError(error).code ?? '')) return [];
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
