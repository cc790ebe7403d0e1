import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { vapidKeys } from '../site/index.ts';
import type { RefreshKey } from './tables.ts';

/** Returns the id of a refresh for clients: its key, with a signature so that keys cannot be guessed. */
export async function encodeRefreshId(app: App, key: RefreshKey): Promise<string> {
  return `${Buffer.from(key).toString('base64url')}.${await sign(app, key)}`;
}

/** Returns the key of an id; undefined unless this instance issued the id. */
export async function decodeRefreshId(app: App, id: string): Promise<RefreshKey | undefined> {
  const key = Buffer.from(id.split('.', 1)[0] ?? '', 'base64url').toString() as RefreshKey;
  const [given, expected] = [Buffer.from(id), Buffer.from(await encodeRefreshId(app, key))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? key : undefined;
}

/** The instance has one secret; the purpose is part of what is signed. */
async function sign(app: App, key: string): Promise<string> {
  const { privateKey } = await vapidKeys(app);
  return createHmac('sha256', privateKey)
    .update(`async refresh\n${key}`)
    .digest()
    .subarray(0, 18)
    .toString('base64url');
}
