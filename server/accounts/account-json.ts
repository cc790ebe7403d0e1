import type { Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import type { CustomEmoji } from '../emojis/index.ts';
import type { AccountId } from '../platform/ids.ts';
import { cutText, formatText, shownHtml, type FormatOptions } from '../text/index.ts';
import { actorUrls } from './actor-urls.ts';
import { countedOf, type Counted } from './account-counters.ts';
import type { Badge } from './badges.ts';
import { remoteLimits } from './remote-limits.ts';
import { approvalOf, featurePolicyOf, nobody } from './feature-approval.ts';
import type { Account } from './schema.ts';
import type { AccountTables, ProfileField } from './tables.ts';

/** The row of an account with its counters and its badge. */
export interface AccountFacts extends Selectable<AccountTables['accounts']>, Counted {
  readonly badge: Badge | null;
}

/** The people that a local profile mentions, by handle as written, in lower case and without its leading `@`. */
export type Mentioned = FormatOptions['mentions'];

/** What an account's JSON needs beside the account. */
export interface AccountContext {
  /** What the texts of an account show (`emojisIn`). */
  readonly emojisOf: (id: AccountId) => CustomEmoji[];
  readonly mentions: Mentioned;
  /** Where pictures of other servers are shown from (`pictureProxy`). */
  readonly proxied: (url: string) => string;
}

/** Name of an account as its server's people write it: `name` here, `name@domain` elsewhere. */
export function acctOf({ username, domain }: { username: string; domain: string | null }): string {
  return domain === null ? username : `${username}@${domain}`;
}

/** Address of the page for people; that of a local account follows the settings, whatever they were when it was made. */
export function urlOf(
  app: App,
  account: { username: string; domain: string | null; uri: string; url: string | null },
): string {
  return account.domain === null ? actorUrls(app, account.username).url : (account.url ?? account.uri);
}

/** An account as everybody sees it, without `moved`. A suspended one keeps its name and counters only. */
export const accountJson = (app: App, facts: AccountFacts, context: AccountContext): Account => ({
  ...profileJson(app, facts, context),
  ...countedOf(facts),
});

/** All of `accountJson` but what is counted. */
export function profileJson(
  app: App,
  facts: AccountFacts,
  { emojisOf, mentions, proxied }: AccountContext,
): Omit<Account, keyof ReturnType<typeof countedOf>> {
  const suspended = facts.suspended_at !== null;
  const images = suspended ? missingImages(app) : imagesOf(app, facts, proxied);
  return {
    id: facts.id,
    username: facts.username,
    acct: acctOf(facts),
    url: urlOf(app, facts),
    uri: facts.domain === null ? actorUrls(app, facts.username).uri : facts.uri,
    display_name: suspended ? '' : cutText(facts.display_name, remoteLimits.displayName),
    note: suspended ? '' : noteHtml(app, facts, mentions),
    ...images,
    locked: !suspended && facts.locked,
    fields: suspended ? [] : facts.fields.map((field) => presentField(app, facts, field, mentions)),
    emojis: emojisOf(facts.id),
    bot: !suspended && (facts.actor_type === 'Service' || facts.actor_type === 'Application'),
    group: facts.actor_type === 'Group',
    discoverable: suspended ? false : facts.discoverable,
    indexable: !suspended && facts.indexable,
    ...(facts.domain === null && { noindex: suspended || facts.discoverable !== true }),
    ...(facts.memorial && { memorial: true }),
    ...(suspended && { suspended: true }),
    ...(facts.silenced_at !== null && { limited: true }),
    created_at: `${day(facts.created_at)}T00:00:00.000Z`,
    hide_collections: facts.hide_collections,
    show_media: facts.show_media,
    show_media_replies: facts.show_media_replies,
    show_featured: facts.show_featured,
    ...(facts.domain === null && { roles: suspended || facts.badge === null ? [] : [facts.badge] }),
    feature_approval: featureApproval(facts),
  };
}

/** What holds for somebody who has nothing to do with the account; `presentAccountsFor` says it for a viewer. */
function featureApproval(facts: AccountFacts): Account['feature_approval'] {
  const policy = facts.suspended_at === null ? featurePolicyOf(facts) : nobody;
  const { automatic, manual } = policy ?? nobody;
  return { automatic: [...automatic], manual: [...manual], current_user: approvalOf(policy) };
}

type Images = Pick<
  Account,
  'avatar' | 'avatar_static' | 'avatar_description' | 'header' | 'header_static' | 'header_description'
>;

function imagesOf(app: App, facts: AccountFacts, proxied: AccountContext['proxied']): Images {
  const missing = missingImages(app);
  const stored = (key: string | null) => (key === null ? undefined : app.storage.url(key));
  const elsewhere = (url: string | null) => (url === null ? undefined : proxied(url));
  const avatar = stored(facts.avatar_key) ?? elsewhere(facts.avatar_remote_url) ?? missing.avatar;
  const header = stored(facts.header_key) ?? elsewhere(facts.header_remote_url) ?? missing.header;
  return {
    avatar,
    avatar_static: stored(facts.avatar_static_key) ?? avatar,
    avatar_description: facts.avatar_description,
    header,
    header_static: stored(facts.header_static_key) ?? header,
    header_description: facts.header_description,
  };
}

/** Never empty: clients take the file name `missing.png` for "none" (clients.md, row 26). */
function missingImages(app: App): Images {
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

function noteHtml(app: App, facts: AccountFacts, mentions: Mentioned): string {
  return shownHtml(
    facts.domain === null ? formatText(facts.note, { mentions, hashtagUrl: hashtagUrls(app) }) : facts.note,
  );
}

function presentField(app: App, facts: AccountFacts, field: ProfileField, mentions: Mentioned): ProfileField {
  if (facts.domain !== null) return { ...field, value: shownHtml(field.value) };
  const options = { mentions, hashtagUrl: hashtagUrls(app), singleLine: true, relMe: true };
  return { name: field.name, value: shownHtml(formatText(field.value, options)), verified_at: field.verified_at };
}

const hashtagUrls = (app: App) => (name: string) => `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`;

const day = (date: Date): string => date.toISOString().slice(0, 10);
