import { createHash } from 'node:crypto';
import { SignatureError } from './signed-request.ts';

/** Returns the SHA-256 of a body in base64. */
export function sha256(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Returns the SHA-256 of a text in hexadecimal digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Throws unless the `Digest` header (RFC 3230) contains the SHA-256 of the body. */
export function assertDigest(field: string | undefined, body: Buffer): void {
  if (field === undefined) throw new SignatureError('Digest header is missing');
  const declared = field
    .split(',')
    .map((part) => /^\s*sha-256\s*=\s*([A-Za-z0-9+/=]+)\s*$/i.exec(part)?.[1])
    .find((value) => value !== undefined);
  if (declared === undefined) throw new SignatureError('The Digest header has no SHA-256 digest');
  assertMatches(declared, 'sha256', body);
}

/** Throws unless the `Content-Digest` header (RFC 9530) contains the SHA-256 or SHA-512 of the body. */
export function assertContentDigest(field: string | undefined, body: Buffer): void {
  if (field === undefined) throw new SignatureError('Content-Digest header is missing');
  let hasSupportedDigest = false;
  for (const [, name, value] of field.matchAll(/(sha-256|sha-512)=:([A-Za-z0-9+/=]+):/gi)) {
    hasSupportedDigest = true;
    assertMatches(value ?? '', name?.toLowerCase() === 'sha-256' ? 'sha256' : 'sha512', body);
  }
  if (!hasSupportedDigest) throw new SignatureError('The Content-Digest header has no SHA-256 or SHA-512 digest');
}

function assertMatches(declared: string, algorithm: 'sha256' | 'sha512', body: Buffer): void {
  const digest = createHash(algorithm).update(body).digest();
  if (!digest.equals(Buffer.from(declared, 'base64'))) throw new SignatureError('The digest does not match the body');
}
