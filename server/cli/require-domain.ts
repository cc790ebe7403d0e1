import { normalizeDomain } from '../accounts/find/index.ts';
import { CliError } from './cli-error.ts';

/** Returns the normal form of a domain. Throws CliError for any other text. */
export function requireDomain(text: string): string {
  const domain = normalizeDomain(text);
  if (domain === undefined) throw new CliError(`Not a domain: ${text}`);
  return domain;
}
