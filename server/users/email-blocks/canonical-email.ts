import { hash } from 'node:crypto';
import { normalizeEmail } from '../sign-up/email-address.ts';

/**
 * Returns the canonical form of an e-mail address, as Mastodon has it: in lower case, with neither dots nor a +tag in the
 * local part. The domain is in punycode.
 */
export function canonicalEmail(email: string): string {
  const address = normalizeEmail(email).toLowerCase();
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).replaceAll('.', '').split('+', 1);
  return `${local}${address.slice(at)}`;
}

/** Returns the SHA-256 of the canonical form of an e-mail address in hexadecimal. */
export const canonicalEmailHash = (email: string): string => hash('sha256', canonicalEmail(email), 'hex');
