import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { requireAccount } from '../find/find-accounts.ts';
import { writable } from '../tables.ts';

/** The key with which a local account signs. */
export interface SigningKey {
  /** URI of the public key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** SPKI in PEM. */
  readonly publicKeyPem: string;
}

const generateKeyPairAsync = promisify(generateKeyPair);

/** A key never changes. It is deleted long after its account, and signs the deletion of the account before. */
export const keyCache = new LoadingCache<AccountId, SigningKey>({
  name: 'accounts.signing_keys',
  maxSize: 1_000,
  ttlMs: 3_600_000,
  load: findOrCreateKey,
});

/**
 * Returns the key of a local account (RSA, 2048 bits), and creates it on first use. If several processes create one at
 * once, the first one stored wins. Throws 404 for a remote account.
 */
export function loadSigningKey(app: App, accountId: AccountId): Promise<SigningKey> {
  return keyCache.get(app, accountId);
}

async function findOrCreateKey(app: App, accountId: AccountId): Promise<SigningKey> {
  return (await findKey(app, accountId)) ?? (await createKey(app, accountId));
}

async function findKey(app: App, accountId: AccountId): Promise<SigningKey | undefined> {
  const row = await app.db
    .selectFrom('account_keys')
    .select(['key_id', 'private_key_pem', 'public_key_pem'])
    .where('account_id', '=', accountId)
    .where('private_key_pem', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row?.private_key_pem == null) return undefined;
  return { keyId: row.key_id, privateKey: createPrivateKey(row.private_key_pem), publicKeyPem: row.public_key_pem };
}

async function createKey(app: App, accountId: AccountId): Promise<SigningKey> {
  const account = await requireAccount(app, accountId);
  if (account.domain !== null) throw notFound();
  const pair = await generateKeyPairAsync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('account_keys')
      .values({
        account_id: accountId,
        key_id: `${account.uri}#main-key`,
        public_key_pem: pair.publicKey,
        private_key_pem: pair.privateKey,
      })
      .onConflict((conflict) => conflict.column('key_id').doNothing())
      .execute(),
  );
  const key = await findKey(app, accountId);
  if (key === undefined) throw new Error(`no key is stored for account ${accountId}`);
  return key;
}
