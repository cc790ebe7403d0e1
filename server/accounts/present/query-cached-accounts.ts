import { sql } from 'kysely';
import { buildCachedEmojis, type CachedEmoji } from '../../emojis/index.ts';
import { createImageProxy, type MediaUrl, type MediaViewer } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { JsonSlot, JsonTemplate } from '../../platform/http/json-template.ts';
import type { AccountId } from '../../platform/ids.ts';
import { domainPolicy } from '../../site/domains/index.ts';
import { siteSettings } from '../../site/index.ts';
import { parseText, type MentionLink } from '../../text/format/index.ts';
import { toAccountCounters, type AccountCounters } from './account-counters.ts';
import {
  renderAccount,
  acctOf,
  renderProfile,
  accountUrl,
  type AccountWithStats,
  type MentionLinks,
} from './render-account.ts';
import { badgeOf, takesSubscribers } from '../badges/badges.ts';
import { featurePolicyOf, emptyFeaturePolicy, type FeatureApproval, type FeaturePolicy } from './feature-approval.ts';
import { findAccountsByHandle } from '../find/find-accounts.ts';
import { parseHandle, type Handle } from '../find/parse-handle.ts';

/** What an account's JSON depends on. */
export interface AccountContext extends MediaViewer {
  /** Undefined: as for a stranger. */
  readonly featureApproval?: FeatureApproval | undefined;
}

/** `feature_approval.current_user`. */
class FeatureApprovalSlot extends JsonSlot<AccountContext> {
  readonly #ofStranger: FeatureApproval;

  constructor(ofStranger: FeatureApproval) {
    super();
    this.#ofStranger = ofStranger;
  }

  override render({ featureApproval }: AccountContext): string | undefined {
    return featureApproval && `"${featureApproval}"`;
  }

  override toJSON(): string {
    return this.#ofStranger;
  }
}

/** A cached account: its JSON for every viewer, and the facts that rules need. */
export interface CachedAccount {
  readonly id: AccountId;
  /** JSON without the counters and the closing brace; see `renderAccountInto`. */
  readonly profile: JsonTemplate<AccountContext>;
  readonly counters: Pick<AccountCounters, 'version' | 'jsonEnd'>;
  readonly username: string;
  /** Null for a local account. */
  readonly domain: string | null;
  readonly acct: string;
  readonly url: string;
  readonly uri: string;
  readonly locked: boolean;
  readonly silenced: boolean;
  /** Staff marked all its media as sensitive. */
  readonly sensitized: boolean;
  readonly suspended: boolean;
  /** False until the user is confirmed and approved: the account is invisible. */
  readonly activated: boolean;
  /** When the profile was last fetched; null for a local account, and until its collections were fetched once. */
  readonly fetchedAt: Date | null;
  /** Undefined for a remote account without a policy. */
  readonly featurePolicy: FeaturePolicy | undefined;
}

type LoadedAccount = AccountWithStats & { readonly version: number };

interface AccountFilter {
  readonly ids: readonly AccountId[];
  /** Whether the server permits e-mail subscriptions; if not, `takes_subscribers` is null. */
  readonly permitsSubscribers: boolean;
}

const selectAccounts = (db: App['db'], { ids, permitsSubscribers }: AccountFilter) =>
  db
    .selectFrom('accounts')
    .leftJoin('account_stats as stats', 'stats.account_id', 'accounts.id')
    .selectAll('accounts')
    .select((eb) => [
      eb.fn.coalesce('stats.version', sql<number>`0`).as('version'),
      eb.fn.coalesce('stats.statuses_count', sql<number>`0`).as('statuses_count'),
      eb.fn.coalesce('stats.followers_count', sql<number>`0`).as('followers_count'),
      eb.fn.coalesce('stats.following_count', sql<number>`0`).as('following_count'),
      'stats.last_status_at',
      badgeOf(sql.ref('accounts.id')).as('badge'),
      sql<
        boolean | null
      >`case when ${permitsSubscribers}::boolean then ${takesSubscribers(sql.ref('accounts.id'))} end`.as(
        'takes_subscribers',
      ),
    ])
    .where('accounts.id', '=', sql<AccountId>`any(${ids}::bigint[])`);

const loadAccountRows = preparedQuery<LoadedAccount>()((db, args: AccountFilter) =>
  selectAccounts(db, args).where('accounts.deleted_at', 'is', null),
);
const loadDeletedRows = preparedQuery<LoadedAccount>()((db, args: AccountFilter) =>
  selectAccounts(db, args).where('accounts.deleted_at', 'is not', null),
);

/** Loads accounts, including those that are not activated, without deleted ones. */
export async function queryCachedAccounts(app: App, ids: readonly AccountId[]): Promise<CachedAccount[]> {
  return toCachedAccounts(app, await loadAccountsWithPolicy(app, ids));
}

/** Loads deleted accounts for staff, like suspended ones. Only their names are left. Not cached. */
export async function loadDeletedAccounts(app: App, ids: readonly AccountId[]): Promise<CachedAccount[]> {
  if (ids.length === 0) return [];
  const rows = await loadDeletedRows(app, { ids, permitsSubscribers: false });
  return toCachedAccounts(
    app,
    rows.map((facts) => ({ ...facts, suspended_at: facts.deleted_at, moved_to_account_id: null })),
  );
}

async function toCachedAccounts(app: App, requested: readonly LoadedAccount[]): Promise<CachedAccount[]> {
  const byId = new Map(requested.map((facts) => [facts.id, facts]));
  const movedTo = requested.flatMap(({ moved_to_account_id: id }) => (id !== null && !byId.has(id) ? [id] : []));
  for (const facts of movedTo.length > 0 ? await loadAccountsWithPolicy(app, movedTo) : []) byId.set(facts.id, facts);
  const context = {
    emojisOf: await loadEmojisByAccount(app, [...byId.values()]),
    mentions: await loadMentionLinks(app, [...byId.values()]),
    proxyUrl: await createProxyFor(app, [...byId.values()]),
  };
  return requested.map((facts) => {
    const target = facts.moved_to_account_id === null ? undefined : byId.get(facts.moved_to_account_id);
    const profile = renderProfile(app, facts, context);
    const { feature_approval: approval } = profile;
    const fields = {
      ...profile,
      feature_approval: { ...approval, current_user: new FeatureApprovalSlot(approval.current_user) },
      ...(target && facts.suspended_at === null && { moved: renderAccount(app, target, context) }),
    };
    return toCachedAccount(app, facts, JsonTemplate.open(fields));
  });
}

/** Applies the domain policy to the rows, because the job that stores its effects may still be running. */
async function loadAccountsWithPolicy(app: App, ids: readonly AccountId[]): Promise<LoadedAccount[]> {
  const { emailSubscriptions: permitsSubscribers } = await siteSettings(app);
  const [rows, policy] = await Promise.all([loadAccountRows(app, { ids, permitsSubscribers }), domainPolicy(app)]);
  return rows.map((facts) => {
    const rule = facts.domain === null ? undefined : policy.ruleFor(facts.domain);
    if (rule === undefined) return facts;
    const { suspended_at, silenced_at, suspension_origin, silence_origin } = facts;
    return {
      ...facts,
      suspended_at: limitDate(suspended_at, suspension_origin === 'domain', rule.severity === 'suspend'),
      silenced_at: limitDate(silenced_at, silence_origin === 'domain', rule.severity === 'silence'),
      ...(rule.rejectMedia && { avatar_remote_url: null, header_remote_url: null }),
    };
  });
}

/** Returns when a limit began. `isOfDomain`: a domain block set the stored one. `isBlocked`: the current block sets it. */
function limitDate(stored: Date | null, isOfDomain: boolean, isBlocked: boolean): Date | null {
  if (isBlocked) return stored ?? new Date(0);
  return isOfDomain ? null : stored;
}

/** Finds the emojis of these profiles. A suspended one shows none. */
async function loadEmojisByAccount(
  app: App,
  accounts: readonly AccountWithStats[],
): Promise<(id: AccountId) => CachedEmoji[]> {
  const shown = accounts.filter(({ suspended_at: suspended }) => suspended === null);
  const found = await buildCachedEmojis(
    app,
    shown.map(({ domain, display_name, note, fields }) => ({
      domain,
      texts: [note, display_name, ...fields.flatMap(({ name, value }) => [name, value])],
    })),
  );
  const byId = new Map(shown.map(({ id }, place) => [id, found[place] ?? []]));
  return (id) => byId.get(id) ?? [];
}

/** Loads the secret of the proxy only if there are remote images. */
async function createProxyFor(app: App, accounts: readonly AccountWithStats[]): Promise<(url: string) => MediaUrl> {
  const isNeeded = accounts.some((facts) => facts.avatar_remote_url !== null || facts.header_remote_url !== null);
  return isNeeded ? createImageProxy(app) : (url) => url;
}

function toCachedAccount(app: App, facts: LoadedAccount, profile: CachedAccount['profile']): CachedAccount {
  return {
    id: facts.id,
    profile,
    counters: toAccountCounters({ ...facts, account_id: facts.id }),
    username: facts.username,
    domain: facts.domain,
    acct: acctOf(facts),
    url: accountUrl(app, facts),
    uri: facts.uri,
    locked: facts.locked,
    silenced: facts.silenced_at !== null,
    sensitized: facts.sensitized_at !== null,
    suspended: facts.suspended_at !== null,
    activated: facts.activated,
    fetchedAt: facts.domain === null || facts.collections_fetched_at === null ? null : facts.fetched_at,
    featurePolicy: facts.suspended_at === null ? featurePolicyOf(facts) : emptyFeaturePolicy,
  };
}

/** Returns the account with these counters, if they are newer than its own. */
export const withCounters = (account: CachedAccount, counters: AccountCounters): CachedAccount =>
  counters.version > account.counters.version ? { ...account, counters } : account;

/** Finds the accounts that local profiles mention, in one query. */
async function loadMentionLinks(app: App, accounts: readonly AccountWithStats[]): Promise<MentionLinks> {
  const handles = new Map<string, Handle>();
  for (const { domain, note, fields } of accounts) {
    if (domain !== null) continue;
    for (const text of [note, ...fields.map(({ value }) => value)]) {
      if (!text.includes('@')) continue;
      for (const token of parseText(text)) {
        if (token.type !== 'mention') continue;
        const handle = parseHandle(app, token.raw);
        if (handle) handles.set(token.raw.slice(1).toLowerCase(), handle);
      }
    }
  }
  if (handles.size === 0) return new Map();
  const rows = await findAccountsByHandle(app, [...handles.values()]);
  const byHandle = new Map(rows.map((row) => [acctOf(row).toLowerCase(), row]));
  const mentions = new Map<string, MentionLink>();
  for (const [written, handle] of handles) {
    const row = byHandle.get(acctOf(handle).toLowerCase());
    if (row) mentions.set(written, { username: row.username, acct: acctOf(row), url: accountUrl(app, row) });
  }
  return mentions;
}
