import { defineEvent } from '../platform/events/define-event.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import type { Privacy, QuotePolicy, UserSettings } from './tables.ts';

/** What a user prefers, with the defaults filled in. */
export interface ResolvedUserSettings extends Required<UserSettings> {
  /** `private` for a locked account that chose nothing, else `public`. */
  readonly default_privacy: Privacy;
  readonly default_quote_policy: QuotePolicy;
  /** Language tag of the user interface. */
  readonly locale: string;
}

/** The preferences of this account's user are other ones now. */
export const userSettingsChanged = defineEvent(
  'user.settings_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);

const settingsChangedChannel = 'users:settings-changed';

const selectUserSettings = preparedQuery<{ settings: UserSettings; locale: string; locked: boolean }>()(
  (db, { accountId }: { accountId: AccountId }) =>
    db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['users.settings', 'users.locale', 'accounts.locked'])
      .where('users.account_id', '=', accountId),
);

const settingsCache = perApp((app) => {
  const settings = new LoadingCache<AccountId, ResolvedUserSettings>({
    size: 10_000,
    ttl: 60_000,
    load: (accountId) => resolveUserSettings(app, accountId),
  });
  app.bus.subscribe(settingsChangedChannel, (message) => settings.delete(message as AccountId));
  app.bus.onGap(() => settings.clear());
  return settings;
});

/** What the user of a local account prefers, with defaults; cached in every process. 404 for an account without a user. */
export function loadUserSettings(app: App, accountId: AccountId): Promise<ResolvedUserSettings> {
  return settingsCache(app).get(accountId);
}

async function resolveUserSettings(app: App, accountId: AccountId): Promise<ResolvedUserSettings> {
  const [row] = await selectUserSettings(app, { accountId });
  if (row === undefined) throw notFound();
  return {
    default_privacy: row.locked ? 'private' : 'public',
    default_sensitive: false,
    default_language: null,
    default_quote_policy: 'public',
    default_content_type: 'text/plain',
    expand_media: 'default',
    expand_spoilers: false,
    autoplay_gifs: false,
    show_application: true,
    ...row.settings,
    locale: row.locale,
  };
}

/** Makes every process read these preferences anew: they, or whether the account is locked, changed. */
export function evictUserSettings(app: App, { accountId }: { readonly accountId: AccountId }): void {
  app.bus.publish(settingsChangedChannel, accountId);
}

/** Changes what a user prefers; what `changes` leaves out stays as it is. */
export async function updateUserSettings(
  { db, emit }: Transaction,
  accountId: AccountId,
  changes: UserSettings,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ settings: sql<string>`settings || ${JSON.stringify(changes)}::jsonb` })
    .where('account_id', '=', accountId)
    .execute();
  emit(userSettingsChanged({ accountId }));
}
