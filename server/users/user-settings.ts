import { defineEvent } from '../platform/events/define-event.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import { notFound } from '../platform/http/problems.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import type { Privacy, QuotePolicy, UserSettings } from './tables.ts';

/** What a user prefers, with the defaults filled in. */
export interface FilledSettings extends Required<UserSettings> {
  /** `private` for a locked account that chose nothing, else `public`. */
  readonly default_privacy: Privacy;
  readonly default_quote_policy: QuotePolicy;
  /** Language tag of the user interface. */
  readonly locale: string;
}

/** The preferences of this account's user are other ones now. */
export const userSettingsChanged = defineEvent(
  'user.settings-changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);

const channel = 'users:settings-changed';

const settingsOf = prepared<{ settings: UserSettings; locale: string; locked: boolean }>()(
  (db, { accountId }: { accountId: AccountId }) =>
    db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['users.settings', 'users.locale', 'accounts.locked'])
      .where('users.account_id', '=', accountId),
);

const cache = perApp((app) => {
  const settings = new LoadingCache<AccountId, FilledSettings>({
    size: 10_000,
    ttl: 60_000,
    load: (accountId) => loadSettings(app, accountId),
  });
  app.bus.subscribe(channel, (message) => settings.delete(message as AccountId));
  app.bus.onGap(() => settings.clear());
  return settings;
});

/** What the user of a local account prefers, with defaults; cached in every process. 404 for an account without a user. */
export function userSettings(app: App, accountId: AccountId): Promise<FilledSettings> {
  return cache(app).get(accountId);
}

async function loadSettings(app: App, accountId: AccountId): Promise<FilledSettings> {
  const [row] = await settingsOf(app, { accountId });
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
export function dropUserSettings(app: App, { accountId }: { readonly accountId: AccountId }): void {
  app.bus.publish(channel, accountId);
}

/** Changes what a user prefers; what `changes` leaves out stays as it is. */
export async function updateUserSettings(
  { db, emit }: Write,
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
