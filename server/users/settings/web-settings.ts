import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { conflict, invalidFieldsError } from '../../platform/http/http-errors.ts';
import { JsonText } from '../../platform/http/http-response.ts';
import { message } from '../../platform/i18n/message.ts';
import type { UserId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Bytes of JSON. The settings of Mastodon's own client have some kilobytes. */
export const maxWebSettingsBytes = 65_536;

/** What a web client stored, and the version that the next change names. */
export interface WebSettings {
  readonly data: JsonText<object>;
  readonly version: number;
}

/** Returns the settings that a web client stored for its user; an empty object of version 0 if there are none. */
export async function loadWebSettings({ db }: App, userId: UserId): Promise<WebSettings> {
  const row = await db
    .selectFrom('web_settings')
    .select(['data', 'version'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { data: new JsonText(row?.data ?? '{}'), version: row?.version ?? 0 };
}

/**
 * Replaces the settings of a web client, of any version if none is given. Returns the new version. Throws 422 if they are
 * too large, 409 if they were changed since `version`.
 */
export async function storeWebSettings(
  app: App,
  userId: UserId,
  { data: settings, version }: { readonly data: object; readonly version: number | undefined },
): Promise<number> {
  const data = stringify(settings);
  if (data === undefined || Buffer.byteLength(data) > maxWebSettingsBytes) {
    const description = message('users.webSettingsTooLarge', { max: maxWebSettingsBytes });
    throw invalidFieldsError([{ field: 'data', error: 'ERR_TOO_LONG', description }]);
  }
  return transaction(app, async ({ db }) => {
    const updated_at = app.clock.now();
    // The first change of a user finds a row of version 0 too, so that one of two devices wins.
    await writable(db)
      .insertInto('web_settings')
      .values({ user_id: userId, data: '{}', version: 0, updated_at })
      .onConflict((target) => target.column('user_id').doNothing())
      .execute();
    const row = await writable(db)
      .updateTable('web_settings')
      .set((set) => ({ data, version: set('version', '+', 1), updated_at }))
      .where('user_id', '=', userId)
      .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
      .returning('version')
      .executeTakeFirst();
    if (row === undefined) throw conflict('users.webSettingsChanged');
    return row.version;
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
