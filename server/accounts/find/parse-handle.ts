import { domainToASCII } from 'node:url';
import type { App } from '../../platform/app.ts';

/** A parsed handle. `domain` is null for a local account. */
export interface Handle {
  readonly username: string;
  readonly domain: string | null;
}

/**
 * Parses a handle, with an optional `acct:` or `@` prefix; undefined if it is invalid. The domain is in lower case and
 * punycode.
 */
export function parseHandle(app: App, acct: string): Handle | undefined {
  const [username = '', domain, ...rest] = acct
    .trim()
    .replace(/^acct:/i, '')
    .replace(/^@/, '')
    .split('@');
  if (username === '' || rest.length > 0) return undefined;
  if (domain === undefined) return { username, domain: null };
  const ascii = normalizeDomain(domain);
  if (ascii === undefined) return undefined;
  return { username, domain: ascii === app.config.domain || ascii === app.config.webDomain ? null : ascii };
}

const isHostname = (name: string): boolean => name.length <= 253 && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name);

/** Returns a domain in lower case and punycode, with its port if it has one; undefined if it is invalid. */
export function normalizeDomain(domain: string): string | undefined {
  const [, host = '', port = ''] = /^([^:/@\s]+?)\.?(:\d{1,5})?$/.exec(domain) ?? [];
  const ascii = domainToASCII(host);
  return isHostname(ascii) ? `${ascii}${port}` : undefined;
}
