import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { JsonText } from '../../platform/http/http-response.ts';
import { message } from '../../platform/i18n/message.ts';
import type { UserId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Bytes of JSON. The settings of Mastodon's own client have some kilobytes. */
export const maxWebSettingsBytes = 65_536;

/** Returns the settings that a web client stored for its user; an empty object if there are none. */
export async function loadWebSettings({ db }: App, userId: UserId): Promise<JsonText<object>> {
  const row = await db.selectFrom('web_settings').select('data').where('user_id', '=', userId).executeTakeFirst();
  return new JsonText(row?.data ?? '{}');
}

/** Replaces the settings of a web client. Throws 422 if they are too large. */
export async function storeWebSettings(app: App, userId: UserId, settings: object): Promise<void> {
  const data = stringify(settings);
  if (data === undefined || Buffer.byteLength(data) > maxWebSettingsBytes) {
    const description = message('users.webSettingsTooLarge', { max: maxWebSettingsBytes });
    throw invalidFieldsError([{ field: 'data', error: 'ERR_TOO_LONG', description }]);
  }
  const row = { data, updated_at: app.clock.now() };
  await transaction(app, async ({ db }) => {
    await writable(db)
      .insertInto('web_settings')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute();
  });
}

/** Undefined if it is nested too deeply for the stack. */
function stringify(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
