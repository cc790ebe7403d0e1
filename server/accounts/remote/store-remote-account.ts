import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { loadDomainRule } from '../../site/domains/index.ts';
import { truncateText, sanitizeHtml } from '../../text/index.ts';
import {
  accountChanged,
  accountKeysReplaced,
  accountSuspended,
  accountUnsuspended,
  accountUpdated,
} from '../events.ts';
import type { FeaturePolicy } from '../present/feature-approval.ts';
import { normalizeDomain } from '../find/parse-handle.ts';
import { accountIndexableChanged } from './indexable-changed.ts';
import { remoteLimits } from './remote-limits.ts';
import { writable, type AccountTables, type ActorType, type ProfileField } from '../tables.ts';
import { verifyNewLinks } from '../profile/verify-links.ts';
import { emitWithdrawnConsent } from '../profile/withdrawn-consent.ts';

/** A public key in SPKI, which counts until `expiresAt`. */
interface RemotePublicKey {
  readonly keyId: string;
  readonly pem: string;
  readonly expiresAt?: Date | undefined;
}

/** A parsed remote actor. The caller has verified the origin of all its properties. */
export interface RemoteAccount {
  /** ActivityPub id. */
  readonly uri: string;
  readonly username: string;
  /** Lower case, punycode. */
  readonly domain: string;
  readonly url?: string | null;
  readonly actorType?: ActorType;
  readonly displayName?: string;
  /** Unsanitised HTML. */
  readonly note?: string;
  /** Values are unsanitised HTML. */
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
  readonly locked?: boolean;
  /** Null or absent: unknown. */
  readonly discoverable?: boolean | null;
  readonly indexable?: boolean;
  readonly memorial?: boolean;
  /** Which tabs its profile has. Default: all. */
  readonly showMedia?: boolean;
  readonly showMediaReplies?: boolean;
  readonly showFeatured?: boolean;
  readonly suspended?: boolean;
  readonly avatarUrl?: string | null;
  readonly avatarDescription?: string;
  readonly headerUrl?: string | null;
  readonly headerDescription?: string;
  readonly alsoKnownAs?: readonly string[];
  readonly attributionDomains?: readonly string[];
  readonly movedToAccountId?: AccountId | null;
  readonly inboxUrl: string;
  readonly sharedInboxUrl?: string | null;
  readonly outboxUrl?: string | null;
  readonly followersUrl?: string | null;
  readonly followingUrl?: string | null;
  readonly featuredUrl?: string | null;
  readonly featuredTagsUrl?: string | null;
  readonly featuredCollectionsUrl?: string | null;
  /** Null or absent: no policy. */
  readonly featurePolicy?: FeaturePolicy | null;
  readonly publicKeys?: readonly RemotePublicKey[];
  /** The actor came with a request signed by a known key, so the account itself replaced its keys. */
  readonly hasSignedKeys?: boolean;
  /** Creation date, if known. */
  readonly publishedAt?: Date;
}

/**
 * Inserts or updates a remote account by its URI, and sanitises its texts. If the handle has a new URI on its server,
 * the stored account gets that URI: the server decides about its handles. Emits `accountUpdated` for an existing
 * account, `accountIndexableChanged` if its posts may or may no longer be searched, and `accountKeysReplaced` if none
 * of its old keys is left.
 */
export async function storeRemoteAccount(tx: Transaction, app: App, remote: RemoteAccount): Promise<AccountId> {
  assertRemote(app, remote);
  const username = truncate(remote.username, remoteLimits.username);
  // Two concurrent deliveries of the same new actor must not both insert it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account ${username.toLowerCase()}@${remote.domain}`}, 0))`.execute(
    tx.db,
  );
  const existing = await findExistingAccount(tx, remote, username);
  const id = existing?.id ?? newId<'account'>(app.clock.now());
  const before = existing?.fields ?? [];
  const fields = sanitizeFields(remote, before);
  const values = { ...toColumns(app, remote, username), fields: JSON.stringify(fields) };
  const now = app.clock.now();
  if (existing === undefined) {
    const created = earlierDate(remote.publishedAt, now);
    await writable(tx.db)
      .insertInto('accounts')
      .values({
        id,
        uri: remote.uri,
        created_at: created,
        ...values,
        ...(await initialLimitColumns(tx, app, remote, now)),
      })
      .execute();
    await writable(tx.db).insertInto('account_stats').values({ account_id: id }).execute();
  } else {
    await writable(tx.db)
      .updateTable('accounts')
      .set({ ...values, ...suspensionColumns(remote, now) })
      .where('id', '=', id)
      .execute();
    await writable(tx.db)
      .updateTable('accounts')
      .set({ uri: remote.uri })
      .where('id', '=', id)
      .where('uri', '<>', remote.uri)
      .execute();
    tx.emit(accountUpdated({ accountId: id }));
    emitWithdrawnConsent(tx, id, existing, values);
    emitSuspension(tx, existing, remote);
    if (existing.indexable !== values.indexable) tx.emit(accountIndexableChanged({ accountId: id }));
  }
  verifyNewLinks(tx, app, id, { fields, before, local: false });
  if (remote.hasSignedKeys !== true && (await areKeysReplaced(tx, id, remote.publicKeys)))
    tx.emit(accountKeysReplaced({ accountId: id }));
  await storeKeys(tx, id, remote.publicKeys);
  tx.emit(accountChanged({ accountId: id }));
  return id;
}

/** Throws if a remote actor claims a local URI or domain. */
function assertRemote({ config }: App, { uri, domain }: RemoteAccount): void {
  const localHosts = [config.domain, config.webDomain];
  if (localHosts.includes(domain) || localHosts.includes(new URL(uri).host)) {
    throw new Error(`${uri} is not a remote account`);
  }
}

type ExistingAccount = Pick<
  Selectable<AccountTables['accounts']>,
  'id' | 'fields' | 'discoverable' | 'indexable' | 'suspended_at' | 'suspension_origin'
>;

/** Finds the row to update, by the URI or else by the handle. Another account with the handle loses its name. */
async function findExistingAccount(
  tx: Transaction,
  remote: RemoteAccount,
  username: string,
): Promise<ExistingAccount | undefined> {
  const rows = await tx.db
    .selectFrom('accounts')
    .select(['id', 'uri', 'fields', 'discoverable', 'indexable', 'suspended_at', 'suspension_origin'])
    .where((eb) =>
      eb.or([
        eb('uri', '=', remote.uri),
        eb.and([
          eb(sql`lower(username)`, '=', username.toLowerCase()),
          eb(sql`coalesce(domain, '')`, '=', remote.domain),
        ]),
      ]),
    )
    .forUpdate()
    .execute();
  const same = rows.find(({ uri }) => uri === remote.uri);
  const other = rows.find(({ uri }) => uri !== remote.uri);
  if (same !== undefined && other !== undefined) {
    await writable(tx.db)
      .updateTable('accounts')
      .set({ username: sql`username || '~' || id` })
      .where('id', '=', other.id)
      .execute();
    tx.emit(accountChanged({ accountId: other.id }));
  }
  return same ?? other;
}

function toColumns(app: App, remote: RemoteAccount, username: string) {
  const now = app.clock.now();
  return {
    username,
    domain: remote.domain,
    url: remote.url ?? null,
    actor_type: remote.actorType ?? 'Person',
    display_name: truncate(remote.displayName, remoteLimits.displayName),
    note: sanitizeHtml(truncateBytes(remote.note ?? '', remoteLimits.note)),
    locked: remote.locked ?? false,
    discoverable: remote.discoverable ?? null,
    indexable: remote.indexable ?? false,
    memorial: remote.memorial ?? false,
    show_media: remote.showMedia ?? true,
    show_media_replies: remote.showMediaReplies ?? true,
    show_featured: remote.showFeatured ?? true,
    avatar_remote_url: remote.avatarUrl ?? null,
    avatar_description: truncate(remote.avatarDescription, remoteLimits.description),
    header_remote_url: remote.headerUrl ?? null,
    header_description: truncate(remote.headerDescription, remoteLimits.description),
    also_known_as: (remote.alsoKnownAs ?? [])
      .filter((uri) => uri.length <= remoteLimits.uri)
      .slice(0, remoteLimits.list),
    attribution_domains: (remote.attributionDomains ?? [])
      .flatMap((domain) => normalizeDomain(domain) ?? [])
      .slice(0, remoteLimits.list),
    moved_to_account_id: remote.movedToAccountId ?? null,
    ...endpointColumns(remote),
    feature_automatic: remote.featurePolicy ? [...remote.featurePolicy.automatic] : null,
    feature_manual: remote.featurePolicy ? [...remote.featurePolicy.manual] : null,
    protocol: 'activitypub' as const,
    updated_at: now,
    fetched_at: now,
    deleted_at: null,
  };
}

/** Returns the columns for inboxes and collections. */
function endpointColumns(remote: RemoteAccount) {
  return {
    inbox_url: remote.inboxUrl,
    shared_inbox_url: remote.sharedInboxUrl ?? null,
    outbox_url: remote.outboxUrl ?? null,
    followers_url: remote.followersUrl ?? null,
    following_url: remote.followingUrl ?? null,
    featured_url: remote.featuredUrl ?? null,
    featured_tags_url: remote.featuredTagsUrl ?? null,
    featured_collections_url: remote.featuredCollectionsUrl ?? null,
  };
}

/** Returns the limits of a new account by its own server or the block of its domain. */
async function initialLimitColumns(tx: Transaction, app: App, { suspended, domain }: RemoteAccount, now: Date) {
  const { severity } = await loadDomainRule(tx, app, domain);
  return {
    ...(severity === 'silence' && { silenced_at: now, silence_origin: 'domain' as const }),
    ...(severity === 'suspend' && { suspended_at: now, suspension_origin: 'domain' as const }),
    ...(suspended === true && { suspended_at: now, suspension_origin: 'remote' as const }),
  };
}

/** Applies a suspension by the account's own server, or lifts it. One by staff or by a domain block stays. */
function suspensionColumns({ suspended }: RemoteAccount, now: Date) {
  if (suspended === undefined) return {};
  if (suspended) {
    return {
      suspended_at: sql<Date>`coalesce(suspended_at, ${now}::timestamptz)`,
      suspension_origin: sql<'remote'>`coalesce(suspension_origin, 'remote')`,
    };
  }
  return {
    suspended_at: sql<Date | null>`case when suspension_origin <> 'remote' then suspended_at end`,
    suspension_origin: sql<'local' | 'domain' | null>`nullif(suspension_origin, 'remote')`,
  };
}

/** Emits the events of what `suspensionColumns` changes. */
function emitSuspension({ emit }: Transaction, before: ExistingAccount, { suspended }: RemoteAccount): void {
  const { id: accountId, suspended_at: suspendedAt, suspension_origin: origin } = before;
  if (suspended === true && suspendedAt === null) emit(accountSuspended({ accountId }));
  if (suspended === false && origin === 'remote') emit(accountUnsuspended({ accountId }));
}

/** Maximum size of the sanitised value of a field. */
const maxFieldBytes = 8_192;

/** An unchanged value keeps its verification. */
function sanitizeFields({ fields = [] }: RemoteAccount, before: readonly ProfileField[]): ProfileField[] {
  return fields.slice(0, remoteLimits.fields).map(({ name, value: html }) => {
    const value = sanitizeHtml(truncate(html, remoteLimits.fieldText), maxFieldBytes);
    const verified = before.find((field) => field.value === value)?.verified_at ?? null;
    return { name: truncate(name, remoteLimits.fieldText), value, verified_at: verified };
  });
}

/** Returns whether an account had keys and none of them is among the new ones. */
async function areKeysReplaced(
  tx: Transaction,
  id: AccountId,
  keys: RemoteAccount['publicKeys'] = [],
): Promise<boolean> {
  if (keys.length === 0) return false;
  const storedKeys = await tx.db
    .selectFrom('account_keys')
    .select('public_key_pem as pem')
    .where('account_id', '=', id)
    .execute();
  const bare = (pem: string): string => pem.replaceAll(/\s/g, '');
  const newKeys = new Set(keys.map(({ pem }) => bare(pem)));
  return storedKeys.length > 0 && !storedKeys.some(({ pem }) => newKeys.has(bare(pem)));
}

/** Replaces the keys of the account. Keys that its server no longer lists are deleted. */
async function storeKeys(tx: Transaction, id: AccountId, keys: RemoteAccount['publicKeys']): Promise<void> {
  if (keys === undefined) return;
  const keyIds = keys.map(({ keyId }) => keyId);
  await writable(tx.db)
    .deleteFrom('account_keys')
    .where((eb) =>
      eb.or([
        eb.and([eb('account_id', '=', id), eb('key_id', '<>', sql<string>`all(${keyIds}::text[])`)]),
        // A key with this id under another account was never valid: the id names the actor it belongs to.
        eb.and([
          eb('account_id', '<>', id),
          eb('key_id', '=', sql<string>`any(${keyIds}::text[])`),
          eb('private_key_pem', 'is', null),
        ]),
      ]),
    )
    .execute();
  if (keys.length === 0) return;
  await writable(tx.db)
    .insertInto('account_keys')
    .values(
      keys.map(({ keyId, pem, expiresAt }) => ({
        account_id: id,
        key_id: keyId,
        public_key_pem: pem,
        expires_at: expiresAt ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet((eb) => ({
          public_key_pem: eb.ref('excluded.public_key_pem'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .whereRef('account_keys.account_id', '=', 'excluded.account_id'),
    )
    .execute();
}

const truncate = (text = '', limit: number): string => truncateText(text.replaceAll('\0', ''), limit);
const earlierDate = (date: Date | undefined, now: Date): Date => (date !== undefined && date < now ? date : now);

function truncateBytes(text: string, bytes: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  if (Buffer.byteLength(clean) <= bytes) return clean;
  return new TextDecoder().decode(Buffer.from(clean).subarray(0, bytes)).replace(/\uFFFD$/, '');
}
