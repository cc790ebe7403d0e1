import { SignatureError } from './signed-request.ts';

const clockSkewSeconds = 3600;
const maxLifetimeSeconds = 12 * 3600;
const defaultLifetimeSeconds = 300;

/**
 * Throws unless `now` is within the lifetime of a signature, with an hour of clock skew. It expires five minutes after
 * it was created unless it says otherwise, and after twelve hours at most. Times are Unix seconds.
 */
export function assertTimeWindow(now: Date, created: number | undefined, expires: number | undefined): void {
  const seconds = now.getTime() / 1000;
  if (created === undefined || !Number.isFinite(created)) throw new SignatureError('Signed request date is missing');
  if (created > seconds + clockSkewSeconds) throw new SignatureError('Signed request date is in the future');
  const end = Math.min(expires ?? created + defaultLifetimeSeconds, created + maxLifetimeSeconds);
  if (seconds > end + clockSkewSeconds)
    throw new SignatureError('Signed request date is outside the acceptable time window');
}

/** Parses an HTTP date to Unix seconds. Throws a SignatureError (400) if it is invalid. */
export function parseHttpDate(text: string): number {
  const milliseconds = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (Number.isNaN(milliseconds)) throw new SignatureError('Invalid Date header', 400);
  return milliseconds / 1000;
}
