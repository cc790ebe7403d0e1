import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { Locale } from '../../platform/i18n/locales.ts';
import type { AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import { userSettingsChanged } from './user-settings.ts';

/** Changes the language of the texts that a user gets: errors, pages, mails and push messages. */
export async function changeLocale(
  { db, emit }: Transaction,
  app: App,
  { accountId, locale }: { readonly accountId: AccountId; readonly locale: Locale },
): Promise<void> {
  await writable(db)
    .updateTable('users')
    .set({ locale, updated_at: app.clock.now() })
    .where('account_id', '=', accountId)
    .execute();
  emit(userSettingsChanged({ accountId }));
}
