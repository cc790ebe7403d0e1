import { randomBytes } from 'node:crypto';

/**
 * Returns a token that is different each time, so that the sizes of compressed pages do not reveal it (BREACH): a random
 * mask, and the bytes combined with it.
 */
export function maskToken(bytes: Buffer): string {
  const mask = randomBytes(bytes.length);
  return Buffer.concat([mask, combine(bytes, mask)]).toString('base64url');
}

/** Returns the bytes of a token of `maskToken`. Returns meaningless bytes for any other text. */
export function unmaskToken(token: string): Buffer {
  const bytes = Buffer.from(token, 'base64url');
  const half = bytes.length >> 1;
  return combine(bytes.subarray(half), bytes.subarray(0, half));
}

const combine = (bytes: Buffer, mask: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
