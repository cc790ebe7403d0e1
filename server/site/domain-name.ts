import { domainToASCII } from 'node:url';
import type { App } from '../platform/app.ts';
import { invalid } from '../platform/http/problems.ts';

/** Characters (reference/limits.tsv: domain length). */
const maxLength = 256;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Parses a remote domain as people type it, with or without `https://`. Returns lower case and punycode.
 * Throws 422 if it is not a domain or belongs to this server.
 */
export function parseDomain({ config }: Pick<App, 'config'>, text: string): string {
  const [, host = ''] = /^(?:https?:\/\/)?@?([^/?#\s]+)\/?$/i.exec(text.trim()) ?? [];
  const domain = domainToASCII(host.replace(/:\d+$/, '').replace(/\.$/, ''));
  const isDomain = domain !== '' && domain.length <= maxLength && domain.split('.').every((part) => label.test(part));
  if (!isDomain) throw invalid(`Domain is not a valid domain name: ${text.trim().slice(0, maxLength)}`);
  const own = [config.domain, config.webDomain].map((name) => name.replace(/:\d+$/, ''));
  if (own.some((name) => name === domain || name.endsWith(`.${domain}`))) {
    throw invalid(`Domain is the domain of this server: ${domain}`);
  }
  return domain;
}
