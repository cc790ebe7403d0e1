import { SignatureError } from './signed-request.ts';

const clockSkewSeconds = 3600;
const maxLifetimeSeconds = 12 * 3600;
const defaultLifetimeSeconds = 300;

/**
 * Throws unless `now` lies in the time that a signature is good for, give or take an hour for wrong clocks: from its
 * making until it expires, which is five minutes later when it does not say, and twelve hours at most. Unix seconds.
 */
export function assertTimeWindow(now: Date, created: number | undefined, expires: number | undefined): void {
  const seconds = now.getTime() / 1000;
  if (created === undefined || !Number.isFinite(created)) throw new SignatureError('Signed request date is missing');
  if (created > seconds + clockSkewSeconds) throw new SignatureError('Signed request date is in the future');
  const end = Math.min(expires ?? created + defaultLifetimeSeconds, created + maxLifetimeSeconds);
  if (seconds > end + clockSkewSeconds)
    throw new SignatureError('Signed request date is outside the acceptable time window');
}

/** Unix seconds of an HTTP date; throws a SignatureError (400) when it is none. */
export function parseHttpDate(text: string): number {
  const milliseconds = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (Number.isNaN(milliseconds)) throw new SignatureError('Invalid Date header', 400);
  return milliseconds / 1000;
}
