import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Returns an e-mail address as it is stored and compared: trimmed, its domain in lower case and punycode without a final
 * dot. The local part keeps its case. An invalid domain stays as it is.
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = splitEmail(email);
  return domain === undefined ? local : `${local}@${domainToASCII(domain) || domain}`;
}

/**
 * Returns the spellings, in lower case, under which a mailbox may be stored: normalised, or as it was before addresses
 * were normalised.
 */
export function emailSpellings(email: string): string[] {
  const normalised = normalizeEmail(email);
  const { local, domain } = splitEmail(normalised);
  const unicode = domain === undefined ? [] : [`${local}@${domainToUnicode(domain)}`];
  return [...new Set([normalised, email.trim(), ...unicode].map((spelling) => spelling.toLowerCase()))];
}

function splitEmail(email: string): { readonly local: string; readonly domain?: string } {
  const address = email.trim().normalize('NFC');
  const at = address.lastIndexOf('@');
  return at < 0
    ? { local: address }
    : { local: address.slice(0, at), domain: address.slice(at + 1).replace(/\.$/, '') };
}
