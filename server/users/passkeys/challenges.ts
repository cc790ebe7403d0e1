import { createHmac, randomBytes } from 'node:crypto';
import type { App } from '../../platform/app.ts';
import { isEqualInConstantTime } from '../../platform/equal-in-constant-time.ts';

const ttlMs = 10 * 60_000;
const nonceBytes = 16;

/**
 * Returns a challenge that is valid for ten minutes in one browser and for one purpose, which `key` stands for. It is not
 * stored, so that opening the page to sign in writes nothing.
 */
export function newChallenge({ clock }: Pick<App, 'clock'>, key: string): string {
  const expiry = challengeExpiry({ clock }).getTime().toString(36);
  const nonce = randomBytes(nonceBytes).toString('base64url');
  return `${expiry}.${nonce}.${sign(key, `${expiry}.${nonce}`)}`;
}

/** Returns whether `newChallenge` created a challenge with this key and it has not expired. */
export function isChallengeValid({ clock }: Pick<App, 'clock'>, key: string, challenge: string): boolean {
  const [expiry = '', nonce = '', signature = ''] = challenge.split('.');
  const isFresh = Number.parseInt(expiry, 36) > clock.now().getTime();
  return isEqualInConstantTime(signature, sign(key, `${expiry}.${nonce}`)) && isFresh;
}

/** Returns from when on a challenge that was just answered has certainly expired. */
export const challengeExpiry = ({ clock }: Pick<App, 'clock'>): Date => new Date(clock.now().getTime() + ttlMs);

const sign = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
