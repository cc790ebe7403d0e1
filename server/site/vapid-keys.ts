import { createECDH } from 'node:crypto';
import { perApp, type App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';

/** The P-256 key pair by which push services know this server, both as URL-safe base64 without padding. */
export interface VapidKeys {
  /** Uncompressed point, 65 bytes. */
  readonly publicKey: string;
  /** 32 bytes. */
  readonly privateKey: string;
}

const settingName = 'vapid';
const cachedKeys = perApp(() => ({ keys: undefined as Promise<VapidKeys> | undefined }));

/** The key pair of this server; made when it is first asked for and kept for ever, however many processes ask at once. */
export async function vapidKeys(app: App): Promise<VapidKeys> {
  const cached = cachedKeys(app);
  cached.keys ??= findOrCreateKeys(app);
  try {
    return await cached.keys;
  } catch (error) {
    cached.keys = undefined;
    throw error;
  }
}

async function findOrCreateKeys(app: App): Promise<VapidKeys> {
  return (await findKeys(app)) ?? createKeys(app);
}

async function findKeys({ db }: Pick<App, 'db'>): Promise<VapidKeys | undefined> {
  const row = await db.selectFrom('site_settings').select('value').where('name', '=', settingName).executeTakeFirst();
  return row?.value as VapidKeys | undefined;
}

/** Another process may have stored its pair meanwhile: the first one holds. */
async function createKeys(app: App): Promise<VapidKeys> {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A key that begins with a zero byte comes out shorter; push libraries want all 32 bytes.
  const privateKey = pair.getPrivateKey().toString('hex').padStart(64, '0');
  const made: VapidKeys = { publicKey, privateKey: Buffer.from(privateKey, 'hex').toString('base64url') };
  return transaction(app, async ({ db }) => {
    await db
      .insertInto('site_settings')
      .values({ name: settingName, value: JSON.stringify(made), updated_at: app.clock.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await findKeys({ db })) ?? made;
  });
}
