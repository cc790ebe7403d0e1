import { sql } from 'kysely';
import type { Value as Values } from 'typebox/value';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { invalidFieldsError, type FieldError } from '../platform/http/http-errors.ts';
import { findLocale } from '../platform/i18n/locales.ts';
import { message, verbatim, type Message } from '../platform/i18n/message.ts';
import { findLanguage } from '../text/languages/index.ts';
import { sanitizeHtml } from '../text/index.ts';
import { siteSettingsChanged } from './events.ts';
import {
  htmlSettings,
  maxRetentionDays,
  settingParameters,
  settingSchemas,
  type SettingName,
  type StoredSettings,
} from './settings-schema.ts';
import { recordStaffUpdate } from './audit/record-staff-update.ts';
import { staffAccountId, type Staff } from './staff.ts';
import { writable } from './tables.ts';
import { isNameOf } from '../platform/known-names.ts';

/** New values by name; null resets a setting to the environment or the default. */
export type SiteSettingsChanges = { readonly [Name in SettingName]?: StoredSettings[Name] | null };

/** Changes settings, in every process from the next request on. Throws 422 that names every invalid value. */
export async function changeSiteSettings(app: App, staff: Staff, changes: SiteSettingsChanges): Promise<void> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const stored = given
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, sanitizeValue(name, value)] as const);
  const { Value } = await import('typebox/value');
  const errors = stored.flatMap(([name, value]) => validateSetting(Value, name, value));
  if (errors.length > 0) throw invalidFieldsError(errors);
  const reset = given.filter(([, value]) => value === null).map(([name]) => name);
  await transaction(app, async (tx) => {
    const { db, emit } = tx;
    const names = given.map(([name]) => name);
    const before = await loadStored(tx, names);
    if (reset.length > 0) await writable(db).deleteFrom('site_settings').where('name', 'in', reset).execute();
    if (stored.length > 0) {
      await writable(db)
        .insertInto('site_settings')
        .values(stored.map(([name, value]) => ({ name, value: JSON.stringify(value), updated_at: app.clock.now() })))
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: sql`excluded.value`, updated_at: sql`excluded.updated_at` }),
        )
        .execute();
    }
    emit(siteSettingsChanged({ names, staffId: staffAccountId(staff) }));
    const after = { ...Object.fromEntries(reset.map((name) => [name, null])), ...Object.fromEntries(stored) };
    recordStaffUpdate(tx, staff, { target: 'site_setting', verb: 'update', label: names.join(', '), before, after });
  });
}

/** Returns the stored values of settings; null for those that have their default. */
async function loadStored({ db }: Transaction, names: readonly string[]): Promise<Record<string, unknown>> {
  const defaults = Object.fromEntries(names.map((name) => [name, null]));
  if (names.length === 0) return defaults;
  const rows = await db
    .selectFrom('site_settings')
    .select(['name', 'value'])
    .where('name', 'in', names)
    .orderBy('name')
    .forUpdate()
    .execute();
  return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

/** Texts of staff are never cut: `validateSetting` rejects those that are too long. */
function sanitizeValue(name: string, value: unknown): unknown {
  if (name === 'languages' && Array.isArray(value)) return [...new Set(value.map(toListedLanguage))];
  if (name === 'defaultLanguage' && typeof value === 'string') return findLocale(value) ?? value;
  if (typeof value !== 'string') return value;
  return htmlSettings.has(name) ? sanitizeHtml(value, Infinity) : value.trim();
}

const toListedLanguage = (tag: unknown): unknown => (typeof tag === 'string' ? (findLanguage(tag) ?? tag) : tag);

/** The error for a value that does not match the schema of its setting. */
const validationMessages = {
  contactEmail: 'problems.notAnEmail',
  contactUsername: 'problems.notAUsername',
  sourceUrl: 'problems.notAWebAddress',
  registrations: 'problems.notRegistrationMode',
  showDomainBlocks: 'problems.notAudience',
  showDomainBlockReasons: 'problems.notAudience',
} as const;

type ValidationIssue = ReturnType<(typeof Values)['Errors']>[number];

function describeInvalid(name: SettingName, issue: ValidationIssue | undefined): Message {
  if (issue?.keyword === 'maxLength') return message('problems.tooLong', { max: Number(issue.params.limit) });
  if (issue?.keyword === 'maxItems') return message('problems.tooMany', { max: Number(issue.params.limit) });
  if (issue?.keyword === 'maximum' || issue?.keyword === 'minimum')
    return message('problems.notBetween', { min: 0, max: maxRetentionDays });
  if (issue?.keyword === 'minLength' || issue?.keyword === 'minItems') return message('problems.blank');
  if (issue?.keyword === 'enum' && !isNameOf(validationMessages, name))
    return message('problems.notAmong', { choices: issue.params.allowedValues.join(', ') });
  if (isNameOf(validationMessages, name)) return message(validationMessages[name]);
  return issue === undefined ? message('problems.notAllowed') : verbatim(issue.message);
}

function validateSetting(Value: typeof Values, name: string, value: unknown): FieldError[] {
  if (!isSettingName(name))
    return [{ field: name, error: 'ERR_INVALID', description: message('problems.notASetting') }];
  const field = settingParameters[name];
  if (name === 'languages' && Array.isArray(value)) {
    const unknown = value.find((code) => typeof code !== 'string' || findLanguage(code) === undefined);
    if (unknown !== undefined) {
      const description = message('problems.unknownLanguage', { code: String(unknown) });
      return [{ field, error: 'ERR_INCLUSION', description }];
    }
  }
  const schema = settingSchemas[name];
  if (Value.Check(schema, value)) return [];
  const [first] = Value.Errors(schema, value);
  return [{ field, error: 'ERR_INVALID', description: describeInvalid(name, first) }];
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingSchemas, name);
