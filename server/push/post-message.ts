import type { App } from '../platform/app.ts';
import { Cache } from '../platform/caching/cache.ts';
import { OutgoingError } from '../platform/outgoing/outgoing.ts';
import { retryAfterSeconds } from '../platform/outgoing/retry-after.ts';
import { encryptLegacyMessage, encryptMessage, type ClientKeys } from './encrypt-message.ts';
import { loadVapidToken } from './vapid.ts';

/**
 * The response of a push service. `gone`: the subscription no longer exists. `rejected`: permanent for this message.
 * `failed`: the service is down or asks to wait, for at least `seconds` if it names a time.
 */
export type PushOutcome =
  | { readonly kind: 'sent' | 'gone' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly seconds: number | undefined };

/** Where a message goes, and how it is encrypted. */
export interface PushEndpoint extends ClientKeys {
  readonly endpoint: string;
  readonly standard: boolean;
}

export interface PushMessage {
  readonly text: string;
  readonly ttlSeconds: number;
  /** URL with which the push service may delete the subscription. */
  readonly unsubscribe: string;
}

const daySeconds = 86_400;
/** After this many requests in a row without a response, a host gets none for a minute. */
const maxUnanswered = 5;

/** Requests in a row to which a host has not responded, in this process. An entry ends a minute after the last one. */
export const unansweredRequests = new Cache<string, number>({
  name: 'push.unanswered_requests',
  maxSize: 10_000,
  ttlMs: 60_000,
});

/**
 * Sends an encrypted message to a push service, which stores it for up to `ttlSeconds`. Redirects are not followed.
 * A host that did not respond several times is spared for a minute, so that it does not occupy the lanes of others.
 */
export async function postMessage(
  app: App,
  target: PushEndpoint,
  { text, ttlSeconds, unsubscribe }: PushMessage,
): Promise<PushOutcome> {
  const { host } = new URL(target.endpoint);
  if ((unansweredRequests.peek(app, host) ?? 0) >= maxUnanswered)
    return { kind: 'failed', reason: `${host} has not responded lately`, seconds: undefined };
  const { body, headers } = await buildRequest(app, target, text);
  try {
    const response = await app.outgoing.request(target.endpoint, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        ttl: String(ttlSeconds),
        urgency: 'normal',
        'unsubscribe-url': unsubscribe,
      },
      body,
      ignoreBody: true,
    });
    unansweredRequests.evict(app, host);
    return toOutcome(response.status, retryAfterSeconds(app, response.headers['retry-after'], 2 * daySeconds));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    if (error.reason === 'refused') return { kind: 'rejected', reason: error.message };
    unansweredRequests.set(app, host, (unansweredRequests.peek(app, host) ?? 0) + 1);
    return { kind: 'failed', reason: error.message, seconds: undefined };
  }
}

async function buildRequest(app: App, target: PushEndpoint, text: string) {
  const { token, publicKey } = await loadVapidToken(app, target.endpoint);
  if (target.standard) {
    const { body, headers } = encryptMessage(text, target);
    return { body, headers: { ...headers, authorization: `vapid t=${token},k=${publicKey}` } };
  }
  const { body, headers } = encryptLegacyMessage(text, target);
  const cryptoKey = `${headers['crypto-key']};p256ecdsa=${publicKey}`;
  return { body, headers: { ...headers, 'crypto-key': cryptoKey, authorization: `WebPush ${token}` } };
}

function toOutcome(status: number, seconds: number | undefined): PushOutcome {
  const reason = `the push service answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
  return isTemporary ? { kind: 'failed', reason, seconds } : { kind: 'rejected', reason };
}
