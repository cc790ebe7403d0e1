import type { Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { CachedEmoji } from '../../emojis/index.ts';
import type { MediaUrl } from '../../media/proxy/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { truncateText, limitHtml } from '../../text/index.ts';
import { formatText, type FormatOptions } from '../../text/format/index.ts';
import { actorUrls, profileUrl } from '../actor-urls.ts';
import { presentCounts, type AccountCounts } from './account-counters.ts';
import type { Badge } from '../badges/badges.ts';
import { remoteLimits } from '../remote/remote-limits.ts';
import { featureApprovalFor, featurePolicyOf, emptyFeaturePolicy } from './feature-approval.ts';
import type { Account } from '../schema.ts';
import type { AccountTables, ProfileField } from '../tables.ts';

/** An account row with its counters and its badge. */
export interface AccountWithStats extends Selectable<AccountTables['accounts']>, AccountCounts {
  readonly badge: Badge | null;
  /** Whether the user and the role permit e-mail subscriptions; null if the server does not. */
  readonly takes_subscribers: boolean | null;
}

/** The accounts that a local profile mentions, by handle as typed, in lower case and without the leading `@`. */
export type MentionLinks = FormatOptions['mentions'];

/** Data that rendering an account needs beside its row. */
export interface AccountRenderContext {
  /** Custom emojis in the texts of an account. */
  readonly emojisOf: (id: AccountId) => CachedEmoji[];
  readonly mentions: MentionLinks;
  /** Returns the address of a remote image at the proxy. */
  readonly proxyUrl: (url: string) => MediaUrl;
}

/** Returns the handle of an account: `name` if it is local, `name@domain` if it is remote. */
export function acctOf({ username, domain }: { username: string; domain: string | null }): string {
  return domain === null ? username : `${username}@${domain}`;
}

/** Returns the address of the profile page. For a local account it follows the current settings, not the row. */
export function accountUrl(
  app: App,
  account: { username: string; domain: string | null; uri: string; url: string | null },
): string {
  return account.domain === null ? profileUrl(app, account.username) : (account.url ?? account.uri);
}

/** Returns an account for every viewer, without `moved`. A suspended one shows its name and counters only. */
export const renderAccount = (app: App, facts: AccountWithStats, context: AccountRenderContext) => ({
  ...renderProfile(app, facts, context),
  ...presentCounts(facts),
});

type Images = Record<'avatar' | 'avatar_static' | 'header' | 'header_static', MediaUrl> &
  Pick<Account, 'avatar_description' | 'header_description'>;

/** An account's JSON as cached for every viewer, without its counters. */
export interface ProfileFields
  extends Omit<Account, keyof ReturnType<typeof presentCounts> | keyof Images | 'emojis'>, Images {
  readonly emojis: readonly CachedEmoji[];
}

/** Renders all of an account but its counters. */
export function renderProfile(
  app: App,
  facts: AccountWithStats,
  { emojisOf, mentions, proxyUrl }: AccountRenderContext,
): ProfileFields {
  const suspended = facts.suspended_at !== null;
  const images = suspended ? placeholderImages(app) : renderImages(app, facts, proxyUrl);
  return {
    id: facts.id,
    username: facts.username,
    acct: acctOf(facts),
    url: accountUrl(app, facts),
    uri: facts.domain === null ? actorUrls(app, facts.uri).uri : facts.uri,
    display_name: suspended ? '' : truncateText(facts.display_name, remoteLimits.displayName),
    note: suspended ? '' : renderNote(app, facts, mentions),
    ...images,
    locked: !suspended && facts.locked,
    fields: suspended ? [] : facts.fields.map((field) => renderField(app, facts, field, mentions)),
    emojis: emojisOf(facts.id),
    bot: !suspended && (facts.actor_type === 'Service' || facts.actor_type === 'Application'),
    group: facts.actor_type === 'Group',
    discoverable: suspended ? false : facts.discoverable,
    indexable: !suspended && facts.indexable,
    ...(facts.domain === null && { noindex: suspended || facts.discoverable !== true }),
    ...(facts.memorial && { memorial: true }),
    ...(suspended && { suspended: true }),
    ...(facts.silenced_at !== null && { limited: true }),
    created_at: `${isoDate(facts.created_at)}T00:00:00.000Z`,
    hide_collections: facts.hide_collections,
    show_media: facts.show_media,
    show_media_replies: facts.show_media_replies,
    show_featured: facts.show_featured,
    ...(facts.domain === null && { roles: suspended || facts.badge === null ? [] : [facts.badge] }),
    feature_approval: renderFeatureApproval(facts),
    ...(facts.takes_subscribers !== null && { email_subscriptions: hasOpenSubscriptions(facts) }),
  };
}

const hasOpenSubscriptions = ({ suspended_at: suspended, takes_subscribers: isOpen }: AccountWithStats): boolean =>
  suspended === null && isOpen === true;

/** Returns the approval for a stranger; `presentAccountsFor` returns it for a viewer. */
function renderFeatureApproval(facts: AccountWithStats): Account['feature_approval'] {
  const policy = facts.suspended_at === null ? featurePolicyOf(facts) : emptyFeaturePolicy;
  const { automatic, manual } = policy ?? emptyFeaturePolicy;
  return { automatic: [...automatic], manual: [...manual], current_user: featureApprovalFor(policy) };
}

function renderImages(app: App, facts: AccountWithStats, proxied: AccountRenderContext['proxyUrl']): Images {
  const placeholders = placeholderImages(app);
  const storedUrl = (key: string | null) => (key === null ? undefined : app.storage.url(key));
  const remoteUrl = (url: string | null) => (url === null ? undefined : proxied(url));
  const avatar = storedUrl(facts.avatar_key) ?? remoteUrl(facts.avatar_remote_url) ?? placeholders.avatar;
  const header = storedUrl(facts.header_key) ?? remoteUrl(facts.header_remote_url) ?? placeholders.header;
  return {
    avatar,
    avatar_static: storedUrl(facts.avatar_static_key) ?? avatar,
    avatar_description: facts.avatar_description,
    header,
    header_static: storedUrl(facts.header_static_key) ?? header,
    header_description: facts.header_description,
  };
}

/** Never empty: clients recognise the file name `missing.png` as "no image" (clients.md, row 26). */
function placeholderImages(app: App): Images {
  const avatar = `${app.config.baseUrl}/avatars/original/missing.png`;
  const header = `${app.config.baseUrl}/headers/original/missing.png`;
  return {
    avatar,
    avatar_static: avatar,
    avatar_description: '',
    header,
    header_static: header,
    header_description: '',
  };
}

function renderNote(app: App, facts: AccountWithStats, mentions: MentionLinks): string {
  return limitHtml(
    facts.domain === null ? formatText(facts.note, { mentions, hashtagUrl: hashtagUrlBuilder(app) }) : facts.note,
  );
}

function renderField(app: App, facts: AccountWithStats, field: ProfileField, mentions: MentionLinks): ProfileField {
  if (facts.domain !== null) return { ...field, value: limitHtml(field.value) };
  const options = { mentions, hashtagUrl: hashtagUrlBuilder(app), singleLine: true, relMe: true };
  return { name: field.name, value: limitHtml(formatText(field.value, options)), verified_at: field.verified_at };
}

const hashtagUrlBuilder = (app: App) => (name: string) => `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`;

const isoDate = (date: Date): string => date.toISOString().slice(0, 10);
