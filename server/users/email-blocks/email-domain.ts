import { domainToASCII } from 'node:url';
import { invalidField } from '../../platform/http/http-errors.ts';

/** Characters (reference/limits.tsv: domain length). */
const maxDomainLength = 256;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Parses the domain of e-mail addresses, with or without @. Returns it in lower case and punycode. Throws 422 if it is
 * none.
 */
export function parseEmailDomain(text: string): string {
  const domain = normalizeDomain(text.trim().replace(/^.*@/, ''));
  if (text.trim() === '') throw invalidField('domain', 'problems.blank');
  const isDomain =
    domain !== '' && domain.length <= maxDomainLength && domain.split('.').every((part) => label.test(part));
  if (!isDomain) throw invalidField('domain', 'problems.notDomain');
  return domain;
}

/** Returns the domain of an e-mail address in lower case and punycode. */
export const emailDomainOf = (email: string): string => normalizeDomain(email.slice(email.lastIndexOf('@') + 1));

const normalizeDomain = (domain: string): string => domainToASCII(domain.trim().replace(/\.$/, ''));

/** Returns a domain and all domains above it: `a.b.test`, `b.test` and `test`. */
export function domainWithParents(domain: string): string[] {
  const labels = domain.replace(/\.$/, '').toLowerCase().split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
