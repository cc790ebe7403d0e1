import { defineEvent } from '../../platform/write/define-event.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountDeleted, accountUpdated } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { writable, type Privacy, type QuotePolicy, type UserSettings } from '../tables.ts';

/** Preferences of a user, with defaults filled in. */
export interface ResolvedUserSettings extends Required<UserSettings> {
  /** By default `private` for a locked account, `public` for others. */
  readonly default_privacy: Privacy;
  readonly default_quote_policy: QuotePolicy;
  /** Language tag of the user interface. */
  readonly locale: string;
  /** IANA name; null: unknown. */
  readonly time_zone: string | null;
}

/** The preferences of the account's user changed. */
export const userSettingsChanged = defineEvent(
  'user.settings_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);

interface SettingsRow {
  readonly settings: UserSettings;
  readonly locale: string;
  readonly time_zone: string | null;
  readonly locked: boolean;
}

const selectUserSettings = preparedQuery<SettingsRow>()((db, { accountId }: { accountId: AccountId }) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.settings', 'users.locale', 'users.time_zone', 'accounts.locked'])
    .where('users.account_id', '=', accountId),
);

export const settingsCache = new LoadingCache<AccountId, ResolvedUserSettings>({
  name: 'users.settings',
  maxSize: 10_000,
  ttlMs: 60_000,
  load: resolveUserSettings,
  evictOn: [
    evict(userSettingsChanged, ({ accountId }) => [accountId]),
    // The default privacy depends on whether the account is locked.
    evict(accountUpdated, ({ accountId }) => [accountId]),
    evict(accountDeleted, ({ accountId }) => [accountId]),
  ],
});

/** Returns the preferences of a local account's user. Throws 404 if the account has no user. */
export function loadUserSettings(app: App, accountId: AccountId): Promise<ResolvedUserSettings> {
  return settingsCache.get(app, accountId);
}

/** Returns the cached preferences of a local account's user, without loading. */
export const peekUserSettings = (app: App, accountId: AccountId): ResolvedUserSettings | undefined =>
  settingsCache.peek(app, accountId);

async function resolveUserSettings(app: App, accountId: AccountId): Promise<ResolvedUserSettings> {
  const [row] = await selectUserSettings(app, { accountId });
  if (row === undefined) throw notFound();
  return {
    default_privacy: row.locked ? 'private' : 'public',
    default_sensitive: false,
    default_local_only: false,
    default_language: null,
    default_quote_policy: 'public',
    default_interaction_policies: {},
    default_content_type: 'text/plain',
    expand_media: 'default',
    expand_spoilers: false,
    autoplay_gifs: false,
    show_application: true,
    email_subscriptions: false,
    staff_mails_off: [],
    ...row.settings,
    locale: row.locale,
    time_zone: row.time_zone,
  };
}

/** Changes the preferences that `changes` contains. */
export async function updateUserSettings(
  { db, emit }: Transaction,
  accountId: AccountId,
  changes: UserSettings,
): Promise<void> {
  await writable(db)
    .updateTable('users')
    .set({ settings: sql<string>`settings || ${JSON.stringify(changes)}::jsonb` })
    .where('account_id', '=', accountId)
    .execute();
  emit(userSettingsChanged({ accountId }));
}
