import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { accountSuspended, accountUnsuspended, accountUpdated, findAccountByAcct } from '../../accounts/index.ts';
import { perApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/cache.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isActor, parseActor } from '../documents/parse-actor.ts';
import { idOf, isHttpUrl, isObject, listOf, isSameHost, type Json } from '../documents/values.ts';
import { FetchError, fetchDocument } from '../fetch/fetch-document.ts';
import { fetchActor, resolveAccount } from '../fetch/resolve-account.ts';
import { SingleFlight } from '../fetch/single-flight.ts';

/** A public key of somebody elsewhere, and who it belongs to. */
export interface RemoteKey {
  readonly keyId: string;
  readonly key: KeyObject;
  readonly accountId: AccountId;
  readonly actorUri: string;
  /** Domain of the owner's handle. */
  readonly domain: string;
  readonly suspended: boolean;
}

interface Refetch {
  readonly at: number;
  readonly done: Promise<unknown>;
}

/** For so long an actor is not fetched again when a signature does not fit its key. */
const minRefetchIntervalMs = 60_000;

interface KeyCache {
  readonly keys: Cache<string, RemoteKey>;
  readonly keyIds: Map<AccountId, Set<string>>;
  readonly flights: SingleFlight<RemoteKey>;
  /** Actors that were fetched again lately because a signature did not fit. */
  readonly refetches: Cache<string, Refetch>;
}

/** Bus channel: the keys of this account are to be read anew. Message: its id. */
const keysChanged = 'federation:keys';

const keyCaches = perApp<KeyCache>((app) => {
  const store: KeyCache = {
    keys: new Cache({ size: 20_000, ttl: 300_000 }),
    keyIds: new Map(),
    flights: new SingleFlight(app),
    refetches: new Cache({ size: 20_000, ttl: minRefetchIntervalMs }),
  };
  app.bus.subscribe(keysChanged, (message) => {
    for (const keyId of store.keyIds.get(message as AccountId) ?? []) store.keys.delete(keyId);
    store.keyIds.delete(message as AccountId);
  });
  app.bus.onGap(() => {
    store.keys.clear();
    store.keyIds.clear();
  });
  return store;
});

/** Evicts the keys of a remote account in every process after it changed or was suspended. */
export const keyEvictions: readonly Subscription[] = [
  beforeCommit([accountUpdated], { run: evictKeys }),
  beforeCommit([accountSuspended], { run: evictKeys }),
  beforeCommit([accountUnsuspended], { run: evictKeys }),
];

async function evictKeys(tx: Transaction, app: App, { accountId }: { readonly accountId: AccountId }): Promise<void> {
  tx.afterCommit(() => app.bus.publish(keysChanged, accountId));
}

/** The key of this id if it is known here, without asking anybody. */
export async function findKey(app: App, keyId: string): Promise<RemoteKey | undefined> {
  const store = keyCaches(app);
  return store.keys.get(keyId) ?? (await loadKey(app, store, keyId));
}

/**
 * The key of this id, fetched when it is not known. It is believed only when its owner's own document names it, on the
 * same host. Throws a FetchError or DocumentError when it cannot be had.
 */
export async function findOrFetchKey(app: App, keyId: string): Promise<RemoteKey> {
  const known = await findKey(app, keyId);
  if (known !== undefined) return known;
  const store = keyCaches(app);
  // By document, not by fragment: made-up names of keys must not cause one request each.
  return store.flights.get(keyId.split('#', 1)[0] ?? keyId, async () => {
    await fetchKey(app, keyId);
    const fetched = await loadKey(app, store, keyId);
    if (fetched === undefined) throw new DocumentError(`${keyId} is no key that its owner names`);
    return fetched;
  });
}

/**
 * Returns the key as it is after its owner was fetched again, because a signature does not fit the one that is stored;
 * undefined if it is the same. The owner is fetched once a minute at most, however many signatures do not fit; all of them
 * get what that fetch brings. Throws its FetchError or DocumentError.
 */
export async function refetchKey(app: App, current: RemoteKey): Promise<RemoteKey | undefined> {
  const store = keyCaches(app);
  await refetchOwner(app, store, current.actorUri);
  store.keys.delete(current.keyId);
  const fresh = await loadKey(app, store, current.keyId);
  return fresh === undefined || fresh.key.equals(current.key) ? undefined : fresh;
}

async function refetchOwner(app: App, { refetches }: KeyCache, actorUri: string): Promise<void> {
  const now = app.clock.now().getTime();
  const last = refetches.get(actorUri);
  if (last !== undefined && now - last.at < minRefetchIntervalMs) {
    await last.done;
    return;
  }
  const done = fetchActor(app, actorUri, { fresh: true });
  refetches.set(actorUri, { at: now, done });
  try {
    await done;
  } catch (error) {
    if (error instanceof FetchError && error.overBudget) refetches.delete(actorUri);
    throw error;
  }
}

async function loadKey(app: App, store: KeyCache, keyId: string): Promise<RemoteKey | undefined> {
  const query = app.db
    .selectFrom('account_keys as key')
    .innerJoin('accounts as owner', 'owner.id', 'key.account_id')
    .select(['key.public_key_pem as pem', 'owner.id', 'owner.uri', 'owner.domain', 'owner.suspended_at'])
    .where('owner.deleted_at', 'is', null)
    .orderBy('key.id');
  const acct = /^acct:(.+)/i.exec(keyId)?.[1];
  const owner = acct === undefined ? undefined : await findAccountByAcct(app, acct);
  if (acct !== undefined && owner === undefined) return undefined;
  const row = await (
    owner === undefined ? query.where('key.key_id', '=', keyId) : query.where('owner.id', '=', owner.id)
  ).executeTakeFirst();
  const key = row === undefined ? undefined : parsePem(row.pem);
  if (row === undefined || row.domain === null || key === undefined) return undefined;
  const known = {
    keyId,
    key,
    accountId: row.id,
    actorUri: row.uri,
    domain: row.domain,
    suspended: row.suspended_at !== null,
  };
  store.keys.set(keyId, known);
  store.keyIds.set(row.id, (store.keyIds.get(row.id) ?? new Set()).add(keyId));
  return known;
}

async function fetchKey(app: App, keyId: string): Promise<void> {
  if (/^acct:/i.test(keyId)) {
    await resolveAccount(app, keyId.replace(/^acct:/i, ''));
    return;
  }
  if (!isHttpUrl(keyId)) throw new FetchError(`${String(keyId)} is no address of a key`);
  const { document, url } = await fetchDocument(app, keyId);
  if (!isSameHost(url, keyId)) throw new DocumentError(`${keyId} was given by another server`);
  const owner = keyOwnerOf(document, keyId);
  if (owner === undefined || !isSameHost(owner, keyId))
    throw new DocumentError(`${keyId} does not name an owner on its server`);
  // The document of the key names its owner; now the owner's own document must name the key.
  await fetchActor(app, owner, { fresh: true });
}

/** Whom a key's document names as its owner: a key by itself, an actor, or a stub of one that holds the key. */
function keyOwnerOf(document: Json, keyId: string): string | undefined {
  if (idOf(document) === keyId && document['publicKeyPem'] !== undefined) return idOf(document['owner']);
  const key = listOf(document['publicKey']).find((item) => isObject(item) && idOf(item) === keyId);
  if (isObject(key)) return idOf(key['owner']) ?? idOf(document);
  return isActor(document) ? parseActor(document).uri : undefined;
}

function parsePem(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    return key.asymmetricKeyType === 'rsa' && modulusLength >= 1024 && modulusLength <= 8192 ? key : undefined;
  } catch {
    return undefined;
  }
}
