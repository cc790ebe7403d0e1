import { sql } from 'kysely';
import { emojisIn, type CustomEmoji } from '../emojis/index.ts';
import { pictureProxy } from '../media/index.ts';
import { perApp, type App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { Gatherer } from '../platform/gather.ts';
import { asciiJson } from '../platform/http/answers.ts';
import type { AccountId } from '../platform/ids.ts';
import { readText, type MentionLink } from '../text/index.ts';
import { accountCache } from './account-cache.ts';
import { accountJson, acctOf, urlOf, type AccountFacts, type Mentioned } from './account-json.ts';
import { featurePolicyOf, nobody, type FeaturePolicy } from './feature-approval.ts';
import { findAccountsByHandle, readHandle, type Handle } from './find-accounts.ts';

/** An account as cached: its JSON as everybody sees it, and what rules ask about it. */
export interface AccountBody {
  readonly id: AccountId;
  /** Account of the client interface, as JSON; pictures of other servers come through the proxy. */
  readonly json: string;
  readonly username: string;
  /** Null for an account of this server. */
  readonly domain: string | null;
  readonly acct: string;
  readonly url: string;
  readonly uri: string;
  readonly locked: boolean;
  readonly silenced: boolean;
  readonly suspended: boolean;
  /** False while the sign-up is not through: nobody may see it. */
  readonly activated: boolean;
  /** When it was last read from its server; null for an account of this one, and before it was. */
  readonly fetchedAt: Date | null;
  /** Who may put it into a collection; undefined for a remote one that does not say. */
  readonly featurePolicy: FeaturePolicy | undefined;
}

// Roles belong to `users`, which stands above; they are only read here because the badge is part of an account's JSON.
const loadFacts = prepared<AccountFacts>()((db, { ids }: { ids: readonly AccountId[] }) =>
  db
    .selectFrom('accounts')
    .leftJoin('account_stats as stats', 'stats.account_id', 'accounts.id')
    .leftJoin('users', 'users.account_id', 'accounts.id')
    .leftJoin('roles', (join) => join.onRef('roles.id', '=', 'users.role_id').on('roles.highlighted', '=', true))
    .selectAll('accounts')
    .select((eb) => [
      eb.fn.coalesce('stats.statuses_count', sql<number>`0`).as('statuses_count'),
      eb.fn.coalesce('stats.followers_count', sql<number>`0`).as('followers_count'),
      eb.fn.coalesce('stats.following_count', sql<number>`0`).as('following_count'),
      'stats.last_status_at',
      'roles.id as role_id',
      'roles.name as role_name',
      'roles.color as role_color',
    ])
    .where('accounts.id', '=', sql<AccountId>`any(${ids}::bigint[])`)
    .where('accounts.deleted_at', 'is', null),
);

/**
 * The accounts of these ids, those whose sign-up is not through included, deleted ones not. What is cached costs
 * nothing; the rest comes in at most three queries, however many there are.
 */
export async function accountBodies(app: App, ids: readonly AccountId[]): Promise<Map<AccountId, AccountBody>> {
  const found = new Map<AccountId, AccountBody>();
  const missing: AccountId[] = [];
  const { bodies } = accountCache(app);
  for (const id of new Set(ids)) {
    const body = bodies.get(id);
    if (body === undefined) missing.push(id);
    else found.set(id, body);
  }
  if (missing.length === 0) return found;
  const loaded = await gatherer(app).get(missing);
  for (const id of missing) {
    const body = loaded.get(id);
    if (body !== undefined) found.set(id, body);
  }
  return found;
}

const gatherer = perApp(
  (app) =>
    new Gatherer<AccountId, AccountBody>(
      (ids) => load(app, ids),
      ({ id }) => id,
    ),
);

async function load(app: App, ids: readonly AccountId[]): Promise<AccountBody[]> {
  const { bodies, overtaken } = accountCache(app);
  const changed = new Set<AccountId>();
  overtaken.add(changed);
  try {
    const loaded = await build(app, ids);
    for (const body of loaded) if (!changed.has(body.id)) bodies.set(body.id, body);
    return loaded;
  } finally {
    overtaken.delete(changed);
  }
}

async function build(app: App, ids: readonly AccountId[]): Promise<AccountBody[]> {
  const asked = await loadFacts(app, { ids });
  const known = new Map(asked.map((facts) => [facts.id, facts]));
  const movedTo = asked.flatMap(({ moved_to_account_id: id }) => (id !== null && !known.has(id) ? [id] : []));
  for (const facts of movedTo.length > 0 ? await loadFacts(app, { ids: movedTo }) : []) known.set(facts.id, facts);
  const context = {
    emojisOf: await emojisFor(app, [...known.values()]),
    mentions: await mentionedIn(app, [...known.values()]),
    proxied: await proxyFor(app, [...known.values()]),
  };
  return asked.map((facts) => {
    const target = facts.moved_to_account_id === null ? undefined : known.get(facts.moved_to_account_id);
    const json = accountJson(app, facts, context);
    const moved = target && facts.suspended_at === null ? { moved: accountJson(app, target, context) } : {};
    return bodyOf(app, facts, asciiJson({ ...json, ...moved }));
  });
}

/** Finds the emojis of these profiles; a suspended one shows none. */
async function emojisFor(app: App, accounts: readonly AccountFacts[]): Promise<(id: AccountId) => CustomEmoji[]> {
  const shown = accounts.filter(({ suspended_at: suspended }) => suspended === null);
  const found = await emojisIn(
    app,
    shown.map(({ domain, display_name, note, fields }) => ({
      domain,
      texts: [note, display_name, ...fields.flatMap(({ name, value }) => [name, value])],
    })),
  );
  const byId = new Map(shown.map(({ id }, place) => [id, found[place] ?? []]));
  return (id) => byId.get(id) ?? [];
}

/** Signing takes a secret that only those need to know who have pictures to show. */
async function proxyFor(app: App, accounts: readonly AccountFacts[]): Promise<(url: string) => string> {
  const isNeeded = accounts.some((facts) => facts.avatar_remote_url !== null || facts.header_remote_url !== null);
  return isNeeded ? pictureProxy(app) : (url) => url;
}

function bodyOf(app: App, facts: AccountFacts, json: string): AccountBody {
  return {
    id: facts.id,
    json,
    username: facts.username,
    domain: facts.domain,
    acct: acctOf(facts),
    url: urlOf(app, facts),
    uri: facts.uri,
    locked: facts.locked,
    silenced: facts.silenced_at !== null,
    suspended: facts.suspended_at !== null,
    activated: facts.activated,
    fetchedAt: facts.domain === null ? null : facts.fetched_at,
    featurePolicy: facts.suspended_at === null ? featurePolicyOf(facts) : nobody,
  };
}

/** Whom the local ones among these profiles mention, in one query for all of them. */
async function mentionedIn(app: App, accounts: readonly AccountFacts[]): Promise<Mentioned> {
  const handles = new Map<string, Handle>();
  for (const { domain, note, fields } of accounts) {
    if (domain !== null) continue;
    for (const text of [note, ...fields.map(({ value }) => value)]) {
      if (!text.includes('@')) continue;
      for (const piece of readText(text)) {
        if (piece.type !== 'mention') continue;
        const handle = readHandle(app, piece.raw);
        if (handle) handles.set(piece.raw.slice(1).toLowerCase(), handle);
      }
    }
  }
  if (handles.size === 0) return new Map();
  const rows = await findAccountsByHandle(app, [...handles.values()]);
  const byHandle = new Map(rows.map((row) => [acctOf(row).toLowerCase(), row]));
  const mentions = new Map<string, MentionLink>();
  for (const [written, handle] of handles) {
    const row = byHandle.get(acctOf(handle).toLowerCase());
    if (row) mentions.set(written, { username: row.username, acct: acctOf(row), url: urlOf(app, row) });
  }
  return mentions;
}
