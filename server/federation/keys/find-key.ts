import { createPublicKey, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { accountSuspended, accountUnsuspended, accountUpdated } from '../../accounts/index.ts';
import { findAccountByAcct } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache, Cache } from '../../platform/caching/cache.ts';
import { evictWhere } from '../../platform/caching/cache-reactions.ts';
import type { AccountId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isActor, parseActor } from '../documents/parse-actor.ts';
import { idOf, isHttpUrl, isObject, listOf, isSameHost, type Json } from '../documents/values.ts';
import { FetchError, fetchDocument } from '../fetch/fetch-document.ts';
import { fetchActor, resolveAccount } from '../fetch/resolve-account.ts';
import { defineFlight } from '../fetch/single-flight.ts';

/** A public key of a remote account. */
export interface RemoteKey {
  readonly keyId: string;
  readonly key: KeyObject;
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
  readonly accountId: AccountId;
  readonly actorUri: string;
  /** Domain of the owner's handle. */
  readonly domain: string;
  /** Its owner stands for software, such as the instance actor of a server. */
  readonly isApplication: boolean;
  readonly suspended: boolean;
  readonly isSuspendedByOwnServer: boolean;
}

interface Refetch {
  /** Milliseconds since the epoch, by the clock of the App. */
  readonly at: number;
  readonly done: Promise<unknown>;
}

/** How long an actor is not fetched again after a signature did not match its key. */
const minRefetchIntervalMs = 60_000;

const isKeyOf = ({ accountId }: RemoteKey, data: { readonly accountId: AccountId }): boolean =>
  accountId === data.accountId;

export const keyCache = new BatchLoadingCache<string, RemoteKey>({
  name: 'federation.keys',
  maxSize: 20_000,
  ttlMs: 300_000,
  loadMany: loadKeys,
  evictOn: [
    evictWhere(accountUpdated, isKeyOf),
    evictWhere(accountSuspended, isKeyOf),
    evictWhere(accountUnsuspended, isKeyOf),
  ],
});

/** Actors that were fetched again because a signature did not match, by their ids. */
export const recentRefetches = new Cache<string, Refetch>({
  name: 'federation.key_refetches',
  maxSize: 20_000,
  ttlMs: minRefetchIntervalMs,
});

export const keyFlight = defineFlight<RemoteKey>('federation.key_failures');

/** Returns the stored key of this id unless it is expired, without a request to its server. */
export async function findKey(app: App, keyId: string): Promise<RemoteKey | undefined> {
  const key = keyCache.peek(app, keyId) ?? (await keyCache.getMany(app, [keyId])).get(keyId);
  return key?.expiresAt != null && key.expiresAt <= app.clock.now() ? undefined : key;
}

/**
 * Returns the key of this id, and fetches it if it is unknown. A key is accepted only if the document of its owner, on the
 * same host, names it. Throws a FetchError or DocumentError.
 */
export async function findOrFetchKey(app: App, keyId: string): Promise<RemoteKey> {
  const stored = await findKey(app, keyId);
  if (stored !== undefined) return stored;
  // By document, not by fragment: made-up key ids must not cause one request each.
  return keyFlight(app, keyId.split('#', 1)[0] ?? keyId, async () => {
    await fetchKey(app, keyId);
    const fetched = await findKey(app, keyId);
    if (fetched === undefined) throw new DocumentError(`${keyId} is not a key that its owner names`);
    return fetched;
  });
}

/**
 * Fetches the owner of a key again, because a signature does not match the stored one. Returns the new key, undefined if
 * it is the same. Fetches each owner at most once a minute; all callers within it share the result. Throws a FetchError or
 * DocumentError.
 */
export async function refetchKey(app: App, current: RemoteKey): Promise<RemoteKey | undefined> {
  await refetchOwner(app, current.actorUri);
  keyCache.evict(app, current.keyId);
  const key = await findKey(app, current.keyId);
  return key === undefined || key.key.equals(current.key) ? undefined : key;
}

async function refetchOwner(app: App, actorUri: string): Promise<void> {
  const now = app.clock.now().getTime();
  const last = recentRefetches.peek(app, actorUri);
  if (last !== undefined && now - last.at < minRefetchIntervalMs) {
    await last.done;
    return;
  }
  const done = fetchActor(app, actorUri, { fresh: true });
  recentRefetches.set(app, actorUri, { at: now, done });
  try {
    await done;
  } catch (error) {
    if (error instanceof FetchError && error.overBudget) recentRefetches.evict(app, actorUri);
    throw error;
  }
}

/** Loads stored keys by their ids, or by the handle of the owner (`acct:name@domain`), which means its first key. */
async function loadKeys(app: App, keyIds: readonly string[]): Promise<Map<string, RemoteKey>> {
  const found = new Map<string, RemoteKey>();
  const rows = await keyQuery(app)
    .where(sql<boolean>`key.key_id = any(${keyIds.filter((keyId) => !isAcct(keyId))}::text[])`)
    .execute();
  for (const { keyId, ...row } of rows) addKey(found, keyId, row);
  for (const acct of keyIds.filter(isAcct)) {
    const owner = await findAccountByAcct(app, acct.slice('acct:'.length));
    const row = owner && (await keyQuery(app).where('owner.id', '=', owner.id).orderBy('key.id').executeTakeFirst());
    if (row !== undefined) addKey(found, acct, row);
  }
  return found;
}

const keyQuery = ({ db }: App) =>
  db
    .selectFrom('account_keys as key')
    .innerJoin('accounts as owner', 'owner.id', 'key.account_id')
    .select(['key.key_id as keyId', 'key.public_key_pem as pem', 'key.expires_at as expiresAt'])
    .select(['owner.id as accountId', 'owner.uri as actorUri'])
    .select([
      'owner.domain',
      'owner.actor_type as actorType',
      'owner.suspended_at as suspendedAt',
      'owner.suspension_origin as suspensionOrigin',
    ])
    .where('owner.deleted_at', 'is', null);

type KeyRow = Omit<Awaited<ReturnType<ReturnType<typeof keyQuery>['execute']>>[number], 'keyId'>;

function addKey(keys: Map<string, RemoteKey>, keyId: string, row: KeyRow): void {
  const { accountId, actorUri, domain, expiresAt } = row;
  const key = parsePem(row.pem);
  if (domain === null || key === undefined) return;
  const suspended = row.suspendedAt !== null;
  const isSuspendedByOwnServer = suspended && row.suspensionOrigin === 'remote';
  const isApplication = row.actorType === 'Application';
  keys.set(keyId, {
    keyId,
    key,
    expiresAt,
    accountId,
    actorUri,
    domain,
    isApplication,
    suspended,
    isSuspendedByOwnServer,
  });
}

const isAcct = (keyId: string): boolean => /^acct:/i.test(keyId);

async function fetchKey(app: App, keyId: string): Promise<void> {
  if (isAcct(keyId)) {
    await resolveAccount(app, keyId.slice('acct:'.length), { throwIfOverBudget: true });
    return;
  }
  if (!isHttpUrl(keyId)) throw new FetchError(`${String(keyId)} is not the address of a key`);
  const { document, url } = await fetchDocument(app, keyId);
  if (!isSameHost(url, keyId)) throw new DocumentError(`${keyId} was served by another host`);
  const owner = keyOwnerOf(document, keyId);
  if (owner === undefined || !isSameHost(owner, keyId))
    throw new DocumentError(`${keyId} does not name an owner on its server`);
  // The document of the key names its owner; now the owner's own document must name the key.
  await fetchActor(app, owner, { fresh: true });
}

/** Returns the owner that the document of a key names: the document is a key, an actor, or part of an actor with the key. */
function keyOwnerOf(document: Json, keyId: string): string | undefined {
  if (idOf(document) === keyId && document['publicKeyPem'] !== undefined) return idOf(document['owner']);
  if (idOf(document) === keyId && document['publicKeyMultibase'] !== undefined) return idOf(document['controller']);
  const key = listOf(document['publicKey']).find((item) => isObject(item) && idOf(item) === keyId);
  if (isObject(key)) return idOf(key['owner']) ?? idOf(document);
  return isActor(document) ? parseActor(document).uri : undefined;
}

function parsePem(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    return key.asymmetricKeyType === 'rsa' && modulusLength >= 1024 && modulusLength <= 8192 ? key : undefined;
  } catch {
    return undefined;
  }
}
