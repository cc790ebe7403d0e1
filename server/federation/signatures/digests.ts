import { createHash } from 'node:crypto';
import { SignatureError } from './signed-request.ts';

/** SHA-256 of a body, in base64. */
export function sha256(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64');
}

/** SHA-256 of a text, in hexadecimal digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Throws unless the `Digest` field (RFC 3230) holds the SHA-256 of the body. */
export function assertDigest(field: string | undefined, body: Buffer): void {
  if (field === undefined) throw new SignatureError('Digest header is missing');
  const declared = field
    .split(',')
    .map((part) => /^\s*sha-256\s*=\s*([A-Za-z0-9+/=]+)\s*$/i.exec(part)?.[1])
    .find((value) => value !== undefined);
  if (declared === undefined) throw new SignatureError('There is no SHA-256 in the Digest header');
  assertMatches(declared, 'sha256', body);
}

/** Throws unless the `Content-Digest` field (RFC 9530) holds the SHA-256 or SHA-512 of the body. */
export function assertContentDigest(field: string | undefined, body: Buffer): void {
  if (field === undefined) throw new SignatureError('Content-Digest header is missing');
  let known = false;
  for (const [, name, value] of field.matchAll(/(sha-256|sha-512)=:([A-Za-z0-9+/=]+):/gi)) {
    known = true;
    assertMatches(value ?? '', name?.toLowerCase() === 'sha-256' ? 'sha256' : 'sha512', body);
  }
  if (!known) throw new SignatureError('There is no SHA-256 in the Content-Digest header');
}

function assertMatches(declared: string, algorithm: 'sha256' | 'sha512', body: Buffer): void {
  const digest = createHash(algorithm).update(body).digest();
  if (!digest.equals(Buffer.from(declared, 'base64'))) throw new SignatureError('The digest does not match the body');
}
