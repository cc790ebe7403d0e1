import { domainToASCII } from 'node:url';
import type { App } from '../../platform/app.ts';
import { invalidField } from '../../platform/http/http-errors.ts';

/** Characters (reference/limits.tsv: domain length). */
const maxDomainLength = 256;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Parses a remote domain as people type it, with or without `https://`. Returns it in lower case and punycode. Throws 422 if
 * it is not a domain or is local.
 */
export function parseDomain({ config }: Pick<App, 'config'>, text: string): string {
  const [, host = ''] = /^(?:https?:\/\/)?@?([^/?#\s]+)\/?$/i.exec(text.trim()) ?? [];
  const domain = domainToASCII(host.replace(/:\d+$/, '').replace(/\.$/, ''));
  const isDomain =
    domain !== '' && domain.length <= maxDomainLength && domain.split('.').every((part) => label.test(part));
  if (!isDomain)
    throw invalidField('domain', 'problems.notDomainValue', { value: text.trim().slice(0, maxDomainLength) });
  const localDomains = [config.domain, config.webDomain].map((name) => name.replace(/:\d+$/, ''));
  if (localDomains.some((name) => name === domain || name.endsWith(`.${domain}`))) {
    throw invalidField('domain', 'problems.ownServer', { domain });
  }
  return domain;
}
