import { createHmac } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { vapidKeys } from './vapid-keys.ts';

const signatureBytes = 18;

/** Keys by purpose. The instance has one secret, from which each purpose derives its own key. */
export const keyCache = new LoadingCache<string, Buffer>({
  name: 'site.signing_keys',
  maxSize: 50,
  ttlMs: 3_600_000,
  load: async (app, purpose) =>
    createHmac('sha256', (await vapidKeys(app)).privateKey)
      .update(purpose)
      .digest(),
});

/** Returns a function that signs texts for one purpose. The signatures are the same in every process and fit into a URL. */
export async function loadSigner(app: App, purpose: string): Promise<(text: string) => string> {
  const key = await keyCache.get(app, purpose);
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, signatureBytes).toString('base64url');
}
