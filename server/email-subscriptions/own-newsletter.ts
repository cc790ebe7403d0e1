import { sql } from 'kysely';
import { accountChanged } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { forbidden } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { siteSettings } from '../site/index.ts';
import { mayTakeEmailSubscribers } from '../users/access/index.ts';
import { loadUserSettings, updateUserSettings } from '../users/settings/index.ts';

/** What an author knows of the subscriptions to an account: never the addresses. */
export interface OwnNewsletter {
  /** Whether the server and the role permit it. */
  readonly isAvailable: boolean;
  readonly isOn: boolean;
  /** Confirmed subscriptions. */
  readonly subscribers: number;
}

/** Returns the state of e-mail subscriptions for their author. */
export async function loadOwnNewsletter(app: App, accountId: AccountId): Promise<OwnNewsletter> {
  const [site, settings, { rows }] = await Promise.all([
    siteSettings(app),
    loadUserSettings(app, accountId),
    sql<{ isPermitted: boolean; subscribers: number }>`
      select ${mayTakeEmailSubscribers(sql`${accountId}::bigint`)} as "isPermitted",
        (select count(*)::int from email_subscriptions
          where account_id = ${accountId}::bigint and confirmed_at is not null) as subscribers`.execute(app.db),
  ]);
  const { isPermitted = false, subscribers = 0 } = rows[0] ?? {};
  return { isAvailable: site.emailSubscriptions && isPermitted, isOn: settings.email_subscriptions, subscribers };
}

/** Allows or refuses new subscriptions to an account. Existing ones stay. Throws 403 if the account may not allow them. */
export async function setOwnNewsletter(app: App, accountId: AccountId, isOn: boolean): Promise<void> {
  if (isOn && !(await loadOwnNewsletter(app, accountId)).isAvailable) throw forbidden();
  await transaction(app, async (tx) => {
    await updateUserSettings(tx, accountId, { email_subscriptions: isOn });
    tx.emit(accountChanged({ accountId }));
  });
}
