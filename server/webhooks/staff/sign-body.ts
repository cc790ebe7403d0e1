import { createHmac, randomBytes } from 'node:crypto';

/** Bytes, written as hexadecimal digits (reference/limits.tsv: webhook secret). */
const secretBytes = 20;

/** Returns a new secret. Its text is the key of the signatures, as in Mastodon. */
export const newStaffSecret = (): string => randomBytes(secretBytes).toString('hex');

/** Returns the headers of a message as Mastodon signs it. */
export const signBody = (body: string, key: Buffer): Record<string, string> => ({
  'x-hub-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
});
