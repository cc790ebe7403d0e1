import { createHmac, randomBytes } from 'node:crypto';

const secretBytes = 32;

/** Returns a new key for signatures. */
export const newSigningKey = (): Buffer => randomBytes(secretBytes);

/** Returns a key as receivers configure it (Standard Webhooks). */
export const formatSecret = (key: Buffer): string => `whsec_${key.toString('base64')}`;

/** A message of a webhook. */
export interface WebhookMessage {
  /** The same for every attempt, so that receivers recognise repetitions. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** Returns the headers of a message, signed with each key (Standard Webhooks 1.0.0). */
export function signMessage({ id, sentAt, body }: WebhookMessage, keys: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}
