import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { accountUpdated } from '../events.ts';
import { findAccount, requireAccount, type AccountRow } from '../find/find-accounts.ts';
import { writable } from '../tables.ts';
import { generateRsaKeyPair } from './rsa-key-pair.ts';

/** A key with which a local account signs. */
export interface SigningKey {
  /** URI of the public key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** SPKI in PEM. */
  readonly publicKeyPem: string;
}

/** The keys of a local account. */
export interface SigningKeys {
  /** 2048 bits. Every server verifies it. */
  readonly rsa: SigningKey;
  /** Costs an eighth to sign with. Undefined for an account that was deleted before it had one. */
  readonly ed25519: SigningKey | undefined;
}

type KeyType = keyof SigningKeys;

const fragments: Readonly<Record<KeyType, string>> = { rsa: 'main-key', ed25519: 'ed25519-key' };

const generateKeyPairAsync = promisify(generateKeyPair);

/** Keys are deleted long after their account, and sign its deletion before. */
export const keyCache = new LoadingCache<AccountId, SigningKeys>({
  name: 'accounts.signing_keys',
  maxSize: 1_000,
  ttlMs: 3_600_000,
  load: findOrCreateKeys,
  evictOn: [evict(accountUpdated, ({ accountId }) => [accountId])],
});

/**
 * Returns the keys of a local account, and creates missing ones: all on first use, and the Ed25519 key of an account
 * from before there were any. If several processes create one at once, the first one stored wins. Throws 404 for a
 * remote account.
 */
export function loadSigningKeys(app: App, accountId: AccountId): Promise<SigningKeys> {
  return keyCache.get(app, accountId);
}

/** Replaces all keys of a local account. Throws 404 for a remote account. */
export async function replaceKeys(app: App, accountId: AccountId): Promise<void> {
  const account = requireLocal(await requireAccount(app, accountId));
  const keys = await Promise.all([generateKey(account, 'rsa'), generateKey(account, 'ed25519')]);
  await transaction(app, async ({ db, emit }) => {
    await insertKeys(db, keys)
      .onConflict((conflict) =>
        conflict.column('key_id').doUpdateSet((eb) => ({
          public_key_pem: eb.ref('excluded.public_key_pem'),
          private_key_pem: eb.ref('excluded.private_key_pem'),
          created_at: app.clock.now(),
        })),
      )
      .execute();
    emit(accountUpdated({ accountId }));
  });
}

async function findOrCreateKeys(app: App, accountId: AccountId): Promise<SigningKeys> {
  const stored = await findKeys(app, accountId);
  if (stored.rsa !== undefined && stored.ed25519 !== undefined) return { rsa: stored.rsa, ed25519: stored.ed25519 };
  await createMissingKeys(app, accountId, stored);
  const { rsa, ed25519 } = await findKeys(app, accountId);
  if (rsa === undefined) throw new Error(`no key is stored for account ${accountId}`);
  return { rsa, ed25519 };
}

type StoredKeys = Readonly<Record<KeyType, SigningKey | undefined>>;

async function findKeys(app: App, accountId: AccountId): Promise<StoredKeys> {
  const rows = await app.db
    .selectFrom('account_keys')
    .select(['key_id', 'private_key_pem', 'public_key_pem'])
    .where('account_id', '=', accountId)
    .where('private_key_pem', 'is not', null)
    .orderBy('id')
    .execute();
  const keys = rows.map(({ key_id: keyId, private_key_pem: pem, public_key_pem: publicKeyPem }) => ({
    keyId,
    privateKey: createPrivateKey(pem ?? ''),
    publicKeyPem,
  }));
  const ofType = (type: KeyType): SigningKey | undefined =>
    keys.findLast(({ privateKey }) => privateKey.asymmetricKeyType === type);
  return { rsa: ofType('rsa'), ed25519: ofType('ed25519') };
}

async function createMissingKeys(app: App, accountId: AccountId, { rsa }: StoredKeys): Promise<void> {
  if (rsa === undefined) {
    const account = requireLocal(await requireAccount(app, accountId));
    return storeNewKeys(app, await Promise.all([generateKey(account, 'rsa'), generateKey(account, 'ed25519')]));
  }
  const account = await findAccount(app, accountId);
  if (account !== undefined) await storeNewKeys(app, [await generateKey(account, 'ed25519')]);
}

function requireLocal(account: AccountRow): AccountRow {
  if (account.domain !== null) throw notFound();
  return account;
}

type NewKey = Awaited<ReturnType<typeof generateKey>>;

async function generateKey({ id, uri }: AccountRow, type: KeyType) {
  const { publicKey, privateKey } = await generatePair(type);
  return {
    account_id: id,
    key_id: `${uri}#${fragments[type]}`,
    public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const generatePair = (type: KeyType) => (type === 'rsa' ? generateRsaKeyPair() : generateKeyPairAsync('ed25519'));

const insertKeys = (db: Transaction['db'], keys: readonly NewKey[]) =>
  writable(db).insertInto('account_keys').values(keys);

async function storeNewKeys(app: App, keys: readonly NewKey[]): Promise<void> {
  await transaction(app, ({ db }) =>
    insertKeys(db, keys)
      .onConflict((conflict) => conflict.column('key_id').doNothing())
      .execute(),
  );
}
