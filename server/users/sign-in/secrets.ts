import { hash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 random bits (43 characters), safe in URLs, cookies and headers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a secret, for storage. Secrets are random, so no slow hash is needed. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
