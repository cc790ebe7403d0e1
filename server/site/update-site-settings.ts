import { sql } from 'kysely';
import type { Value as Values } from 'typebox/value';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { type FieldError, invalidFieldsError } from '../platform/http/http-errors.ts';
import { isLanguage, sanitizeHtml } from '../text/index.ts';
import { type SettingName, settingSchemas, type StoredSettings } from './settings-schema.ts';
import { siteChannel } from './site-settings.ts';

/** New values by name; null goes back to what the environment or the defaults say. */
export type SiteSettingsChanges = { readonly [Name in SettingName]?: StoredSettings[Name] | null };

const htmlSettings = new Set<string>(['extendedDescription', 'privacyPolicy', 'registrationsMessage']);

/** Changes settings for all processes, from the next request on. 422 naming every value that is not allowed. */
export async function updateSiteSettings(
  { db, afterCommit }: Transaction,
  app: App,
  changes: SiteSettingsChanges,
): Promise<void> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const kept = given
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, sanitizeValue(name, value)] as const);
  const { Value } = await import('typebox/value');
  const errors = kept.flatMap(([name, value]) => validateSetting(Value, name, value));
  if (errors.length > 0) throw invalidFieldsError(errors);
  const dropped = given.filter(([, value]) => value === null).map(([name]) => name);
  if (dropped.length > 0) await db.deleteFrom('site_settings').where('name', 'in', dropped).execute();
  if (kept.length > 0) {
    await db
      .insertInto('site_settings')
      .values(kept.map(([name, value]) => ({ name, value: JSON.stringify(value), updated_at: app.clock.now() })))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql`excluded.value`, updated_at: sql`excluded.updated_at` }),
      )
      .execute();
  }
  afterCommit(() => app.bus.publish(siteChannel, 1));
}

/** The length of staff's own texts is checked, and refused; they are never cut. */
function sanitizeValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return htmlSettings.has(name) ? sanitizeHtml(value, Infinity) : value.trim();
}

/** What is wrong with a value that does not have the form of its setting. */
const validationMessages: Readonly<Record<string, string>> = {
  contactEmail: 'is not an e-mail address',
  contactUsername: 'is not a username',
  sourceUrl: 'is not an http or https address',
  registrations: 'must be open, approval or closed',
  showDomainBlocks: 'must be disabled, users or all',
  showDomainBlockReasons: 'must be disabled, users or all',
};

function validateSetting(Value: typeof Values, name: string, value: unknown): FieldError[] {
  const schema = Object.hasOwn(settingSchemas, name) ? settingSchemas[name as SettingName] : undefined;
  if (schema === undefined) return [{ field: name, error: 'ERR_INVALID', description: 'is no setting' }];
  if (name === 'languages' && Array.isArray(value)) {
    const unknown = value.find((code) => typeof code !== 'string' || !isLanguage(code));
    if (unknown !== undefined)
      return [
        { field: name, error: 'ERR_INCLUSION', description: `contains an unknown language code: ${String(unknown)}` },
      ];
  }
  if (Value.Check(schema, value)) return [];
  const [first] = Value.Errors(schema, value);
  const description = validationMessages[name] ?? first?.message ?? 'is not allowed';
  return [{ field: name, error: 'ERR_INVALID', description }];
}
