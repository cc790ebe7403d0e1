import { createECDH } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** The P-256 key pair that identifies the server to push services, as URL-safe base64 without padding. */
export interface VapidKeys {
  /** Uncompressed point, 65 bytes. */
  readonly publicKey: string;
  /** 32 bytes. */
  readonly privateKey: string;
}

const settingName = 'vapid';

export const keysCache = new LoadingCache<'keys', VapidKeys>({
  name: 'site.vapid_keys',
  maxSize: 1,
  ttlMs: 86_400_000,
  load: findOrCreateKeys,
});

/** Returns the key pair of the server. Created once, however many processes ask at the same time; it never changes. */
export const vapidKeys = (app: App): Promise<VapidKeys> => keysCache.get(app, 'keys');

async function findOrCreateKeys(app: App): Promise<VapidKeys> {
  return (await findKeys(app)) ?? createKeys(app);
}

/** Stores the key pair that push services know from earlier software of the same server. */
export async function storeVapidKeys(app: App, keys: VapidKeys): Promise<void> {
  const stored = { value: JSON.stringify(keys), updated_at: app.clock.now() };
  await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('site_settings')
      .values({ name: settingName, ...stored })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(stored))
      .execute(),
  );
}

async function findKeys({ db }: Pick<App, 'db'>): Promise<VapidKeys | undefined> {
  const row = await db.selectFrom('site_settings').select('value').where('name', '=', settingName).executeTakeFirst();
  return row?.value as VapidKeys | undefined;
}

/** Another process may store a pair at the same time: the first one wins. */
async function createKeys(app: App): Promise<VapidKeys> {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A key that begins with a zero byte comes out shorter; push libraries need all 32 bytes.
  const privateKey = pair.getPrivateKey().toString('hex').padStart(64, '0');
  const created: VapidKeys = { publicKey, privateKey: Buffer.from(privateKey, 'hex').toString('base64url') };
  return transaction(app, async ({ db }) => {
    await writable(db)
      .insertInto('site_settings')
      .values({ name: settingName, value: JSON.stringify(created), updated_at: app.clock.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await findKeys({ db })) ?? created;
  });
}
