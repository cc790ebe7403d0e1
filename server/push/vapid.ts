import { createPrivateKey, sign } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { siteSettings, vapidKeys, type VapidKeys } from '../site/index.ts';

/** A token that identifies this server to one push service (RFC 8292), and the public key that verifies it. */
export interface VapidToken {
  readonly token: string;
  readonly publicKey: string;
  /** When a new token is due. */
  readonly renewAt: Date;
}

const hourMs = 3_600_000;
/** Push services refuse more than 24 hours; half of it leaves room for clocks that differ. */
const validityMs = 12 * hourMs;
const renewAfterMs = 6 * hourMs;

export const tokenCache = new LoadingCache<string, VapidToken>({
  name: 'push.vapid_tokens',
  maxSize: 1_000,
  ttlMs: renewAfterMs,
  load: createVapidToken,
});

/** Returns the token for the push service at an endpoint, cached for its origin. */
export async function loadVapidToken(app: App, endpoint: string): Promise<VapidToken> {
  const audience = new URL(endpoint).origin;
  const cached = await tokenCache.get(app, audience);
  if (app.clock.now() < cached.renewAt) return cached;
  tokenCache.evict(app, audience);
  return tokenCache.get(app, audience);
}

async function createVapidToken(app: App, audience: string): Promise<VapidToken> {
  const [keys, { contactEmail }] = await Promise.all([vapidKeys(app), siteSettings(app)]);
  const now = app.clock.now().getTime();
  const claims = {
    aud: audience,
    exp: Math.floor((now + validityMs) / 1000),
    sub: contactEmail === '' ? app.config.baseUrl : `mailto:${contactEmail}`,
  };
  const content = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const key = { key: toKeyObject(keys), dsaEncoding: 'ieee-p1363' } as const;
  return {
    token: `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`,
    publicKey: keys.publicKey,
    renewAt: new Date(now + renewAfterMs),
  };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWK has the coordinates of the public key one by one. */
function toKeyObject({ publicKey, privateKey }: VapidKeys) {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey } });
}
