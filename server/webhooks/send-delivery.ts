import type { App } from '../platform/app.ts';
import { OutgoingError } from '../platform/outgoing/outgoing.ts';
import { retryAfterSeconds } from '../platform/outgoing/retry-after.ts';
import type { NextDelivery } from './pending-deliveries.ts';
import { signMessage } from './sign-message.ts';
import { signBody } from './staff/sign-body.ts';

const maxRetryAfterSeconds = 86_400;

/**
 * The result of an attempt. `rejected`: permanent for this event. `gone`: the receiver wants no more events. `failed`: it
 * is down or asks to wait, for at least `retryAfterSeconds` if it names a time.
 */
export interface AttemptResult {
  readonly kind: 'delivered' | 'rejected' | 'gone' | 'failed';
  readonly responseStatus: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  readonly retryAfterSeconds?: number | undefined;
}

/** Sends the message about an event to its webhook. Redirects are not followed, and the body of the response is unused. */
export async function sendDelivery(app: App, delivery: NextDelivery, body: string): Promise<AttemptResult> {
  try {
    const { status, headers } = await app.outgoing.request(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signatureHeaders(app, delivery, body) },
      body,
      maxRedirects: 0,
      ignoreBody: true,
    });
    const wait = retryAfterSeconds(app, headers['retry-after'], maxRetryAfterSeconds);
    return { kind: kindOf(status), responseStatus: status, error: null, retryAfterSeconds: wait };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const kind = error.reason === 'refused' ? 'rejected' : 'failed';
    return { kind, responseStatus: null, error: error.reason };
  }
}

function signatureHeaders(app: App, { id, owner, keys }: NextDelivery, body: string): Record<string, string> {
  if (owner !== null) return signMessage({ id: `msg_${id}`, sentAt: app.clock.now(), body }, keys);
  const [key] = keys;
  return key === undefined ? {} : signBody(body, key);
}

function kindOf(status: number): AttemptResult['kind'] {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'failed' : 'rejected';
}
