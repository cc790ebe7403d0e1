import { hash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits, safe in URLs, cookies and headers (43 characters). */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret: its SHA-256. The secrets are random, so that no slow hash is needed. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
