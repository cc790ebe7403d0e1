import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { loadDomainRule } from '../site/index.ts';
import { cutText, sanitizeHtml } from '../text/index.ts';
import { accountChanged, accountKeysReplaced, accountUpdated } from './events.ts';
import type { FeaturePolicy } from './feature-approval.ts';
import { normalizeDomain } from './find-accounts.ts';
import { remoteLimits } from './remote-limits.ts';
import type { ActorType, ProfileField } from './tables.ts';
import { verifyNewLinks } from './verify-links.ts';

/** An actor of another server as the federation read it; the origin of all of it is verified by the caller. */
export interface RemoteAccount {
  /** The actor's id. */
  readonly uri: string;
  readonly username: string;
  /** Lower case, punycode. */
  readonly domain: string;
  readonly url?: string | null;
  readonly actorType?: ActorType;
  readonly displayName?: string;
  /** HTML as it came. */
  readonly note?: string;
  /** Values are HTML as it came. */
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
  readonly locked?: boolean;
  /** Null or absent: it does not tell. */
  readonly discoverable?: boolean | null;
  readonly indexable?: boolean;
  readonly memorial?: boolean;
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
  /** Who may put it into collections; null or absent: it does not say. */
  readonly featurePolicy?: FeaturePolicy | null;
  readonly publicKeys?: readonly { readonly keyId: string; readonly pem: string }[];
  /** A request signed with a known key brought it, so that new keys are the account's own doing. */
  readonly hasSignedKeys?: boolean;
  /** When it was made, if it tells. */
  readonly publishedAt?: Date;
}

/**
 * Stores what another server says of an account, new or known by its URI; text becomes safe here. A handle that moved to
 * another URI on its server takes the known account along: the server decides whom its names stand for. Emits
 * `accountUpdated` when the account was known, and `accountKeysReplaced` when it has none of its old keys any more.
 */
export async function storeRemoteAccount(write: Write, app: App, remote: RemoteAccount): Promise<AccountId> {
  refuseOwnNames(app, remote);
  const username = cut(remote.username, remoteLimits.username);
  // Two deliveries that name the same new actor at once must not both insert it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account ${username.toLowerCase()}@${remote.domain}`}, 0))`.execute(
    write.db,
  );
  const known = await findKnown(write, remote, username);
  const id = known?.id ?? newId<'account'>(app.clock.now());
  const before = known?.fields ?? [];
  const fields = readFields(remote, before);
  const values = { ...columnsOf(app, remote, username), fields: JSON.stringify(fields) };
  const now = app.clock.now();
  if (known === undefined) {
    const created = earlier(remote.publishedAt, now);
    await write.db
      .insertInto('accounts')
      .values({ id, uri: remote.uri, created_at: created, ...values, ...(await newLimits(write, app, remote, now)) })
      .execute();
    await write.db.insertInto('account_stats').values({ account_id: id }).execute();
  } else {
    await write.db
      .updateTable('accounts')
      .set({ ...values, ...suspension(remote, now) })
      .where('id', '=', id)
      .execute();
    await write.db
      .updateTable('accounts')
      .set({ uri: remote.uri })
      .where('id', '=', id)
      .where('uri', '<>', remote.uri)
      .execute();
    write.emit(accountUpdated({ accountId: id }));
  }
  verifyNewLinks(write, app, id, { fields, before, local: false });
  if (remote.hasSignedKeys !== true && (await areKeysReplaced(write, id, remote.publicKeys)))
    write.emit(accountKeysReplaced({ accountId: id }));
  await storeKeys(write, id, remote.publicKeys);
  write.emit(accountChanged({ accountId: id }));
  return id;
}

/** Nothing that comes from elsewhere may speak for an account of this server. */
function refuseOwnNames({ config }: App, { uri, domain }: RemoteAccount): void {
  const own = [config.domain, config.webDomain];
  if (own.includes(domain) || own.includes(new URL(uri).host)) {
    throw new Error(`${uri} is no account of another server`);
  }
}

/** The row to update: that of the URI, else that of the handle. A third account in the way gives up its name. */
async function findKnown(
  write: Write,
  remote: RemoteAccount,
  username: string,
): Promise<{ id: AccountId; fields: ProfileField[] } | undefined> {
  const rows = await write.db
    .selectFrom('accounts')
    .select(['id', 'uri', 'fields'])
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
    await write.db
      .updateTable('accounts')
      .set({ username: sql`username || '~' || id` })
      .where('id', '=', other.id)
      .execute();
  }
  return same ?? other;
}

function columnsOf(app: App, remote: RemoteAccount, username: string) {
  const now = app.clock.now();
  return {
    username,
    domain: remote.domain,
    url: remote.url ?? null,
    actor_type: remote.actorType ?? 'Person',
    display_name: cut(remote.displayName, remoteLimits.displayName),
    note: sanitizeHtml(cutBytes(remote.note ?? '', remoteLimits.note)),
    locked: remote.locked ?? false,
    discoverable: remote.discoverable ?? null,
    indexable: remote.indexable ?? false,
    memorial: remote.memorial ?? false,
    avatar_remote_url: remote.avatarUrl ?? null,
    avatar_description: cut(remote.avatarDescription, remoteLimits.description),
    header_remote_url: remote.headerUrl ?? null,
    header_description: cut(remote.headerDescription, remoteLimits.description),
    also_known_as: (remote.alsoKnownAs ?? [])
      .filter((uri) => uri.length <= remoteLimits.uri)
      .slice(0, remoteLimits.list),
    attribution_domains: (remote.attributionDomains ?? [])
      .flatMap((domain) => normalizeDomain(domain) ?? [])
      .slice(0, remoteLimits.list),
    moved_to_account_id: remote.movedToAccountId ?? null,
    ...addressesOf(remote),
    feature_automatic: remote.featurePolicy ? [...remote.featurePolicy.automatic] : null,
    feature_manual: remote.featurePolicy ? [...remote.featurePolicy.manual] : null,
    protocol: 'activitypub' as const,
    updated_at: now,
    fetched_at: now,
    deleted_at: null,
  };
}

/** Where its inboxes and collections are. */
function addressesOf(remote: RemoteAccount) {
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

/** Limits a new account as its own server, or the block of its domain, says. */
async function newLimits(write: Write, app: App, { suspended, domain }: RemoteAccount, now: Date) {
  const { severity } = await loadDomainRule(write, app, domain);
  return {
    ...(severity === 'silence' && { silenced_at: now, silence_origin: 'domain' as const }),
    ...(severity === 'suspend' && { suspended_at: now, suspension_origin: 'domain' as const }),
    ...(suspended === true && { suspended_at: now, suspension_origin: 'remote' as const }),
  };
}

/** Its own server may suspend it and lift that again; a suspension by staff or by a domain block stays. */
function suspension({ suspended }: RemoteAccount, now: Date) {
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

/** Of the sanitised value of a profile field. */
const maxFieldBytes = 8_192;

/** A value that stays keeps its verification. */
function readFields({ fields = [] }: RemoteAccount, before: readonly ProfileField[]): ProfileField[] {
  return fields.slice(0, remoteLimits.fields).map(({ name, value: html }) => {
    const value = sanitizeHtml(cut(html, remoteLimits.fieldText), maxFieldBytes);
    const verified = before.find((field) => field.value === value)?.verified_at ?? null;
    return { name: cut(name, remoteLimits.fieldText), value, verified_at: verified };
  });
}

/** Returns whether an account had keys and none of them is among the new ones. */
async function areKeysReplaced(write: Write, id: AccountId, keys: RemoteAccount['publicKeys'] = []): Promise<boolean> {
  if (keys.length === 0) return false;
  const known = await write.db
    .selectFrom('account_keys')
    .select('public_key_pem as pem')
    .where('account_id', '=', id)
    .execute();
  const bare = (pem: string): string => pem.replaceAll(/\s/g, '');
  const fresh = new Set(keys.map(({ pem }) => bare(pem)));
  return known.length > 0 && !known.some(({ pem }) => fresh.has(bare(pem)));
}

/** Replaces the account's keys: one that its server no longer names is no longer believed. */
async function storeKeys(write: Write, id: AccountId, keys: RemoteAccount['publicKeys']): Promise<void> {
  if (keys === undefined) return;
  const keyIds = keys.map(({ keyId }) => keyId);
  await write.db
    .deleteFrom('account_keys')
    .where((eb) =>
      eb.or([
        eb.and([eb('account_id', '=', id), eb('key_id', '<>', sql<string>`all(${keyIds}::text[])`)]),
        // A key of this id that another account held was never its own: the id names the actor it belongs to.
        eb.and([
          eb('account_id', '<>', id),
          eb('key_id', '=', sql<string>`any(${keyIds}::text[])`),
          eb('private_key_pem', 'is', null),
        ]),
      ]),
    )
    .execute();
  if (keys.length === 0) return;
  await write.db
    .insertInto('account_keys')
    .values(keys.map(({ keyId, pem }) => ({ account_id: id, key_id: keyId, public_key_pem: pem })))
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet((eb) => ({ public_key_pem: eb.ref('excluded.public_key_pem') }))
        .whereRef('account_keys.account_id', '=', 'excluded.account_id'),
    )
    .execute();
}

const cut = (text = '', limit: number): string => cutText(text.replaceAll('\0', ''), limit);
const earlier = (date: Date | undefined, now: Date): Date => (date !== undefined && date < now ? date : now);

function cutBytes(text: string, bytes: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  if (Buffer.byteLength(clean) <= bytes) return clean;
  return new TextDecoder().decode(Buffer.from(clean).subarray(0, bytes)).replace(/\uFFFD$/, '');
}
