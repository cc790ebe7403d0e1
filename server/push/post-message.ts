import type { App } from '../platform/app.ts';
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

const daySeconds = 86_400;

/** Sends an encrypted message to a push service, which stores it for up to `ttlSeconds`. Redirects are not followed. */
export async function postMessage(
  app: App,
  target: PushEndpoint,
  { text, ttlSeconds }: { readonly text: string; readonly ttlSeconds: number },
): Promise<PushOutcome> {
  const { body, headers } = await buildRequest(app, target, text);
  try {
    const response = await app.outgoing.request(target.endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream', ttl: String(ttlSeconds), urgency: 'normal' },
      body,
      ignoreBody: true,
    });
    return toOutcome(response.status, retryAfterSeconds(app, response.headers['retry-after'], 2 * daySeconds));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    if (error.reason === 'refused') return { kind: 'rejected', reason: error.message };
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
