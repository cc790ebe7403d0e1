import { invalidFieldsError, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import { exceedsLimit } from '../../text/index.ts';
import { normalizeDomain } from '../find/parse-handle.ts';
import type { ProfileField } from '../tables.ts';
import type { ProfileChanges } from './profile-changes.ts';

/** Limits of a local profile (reference/limits.tsv), in characters or items. */
export const profileLimits = {
  displayName: 40,
  note: 500,
  fields: 4,
  fieldText: 255,
  imageDescription: 150,
  attributionDomains: 100,
} as const;

type Field = NonNullable<ProfileChanges['fields']>[number];

/** Throws 422 with all errors of a profile, by field. */
export function assertValidProfile(changes: ProfileChanges): void {
  const errors = profileErrors(changes);
  if (errors.length > 0) throw invalidFieldsError(errors);
}

/** Returns all errors of a profile; empty if it is valid. */
export function profileErrors(changes: ProfileChanges): FieldError[] {
  return [
    ...textErrors('display_name', changes.displayName, profileLimits.displayName),
    ...(exceedsLimit(changes.note?.trim() ?? '', profileLimits.note, { links: true })
      ? [tooLong('note', profileLimits.note)]
      : []),
    ...textErrors('avatar_description', changes.avatarDescription, profileLimits.imageDescription),
    ...textErrors('header_description', changes.headerDescription, profileLimits.imageDescription),
    ...fieldErrors(changes.fields ?? []),
    ...domainErrors(changes.attributionDomains ?? []),
  ];
}

/** Returns the fields to store, without blank ones. An unchanged value keeps its verification. */
export function toProfileFields(fields: readonly Field[], before: readonly ProfileField[]): ProfileField[] {
  return withoutBlankFields(fields).map(({ name, value }) => ({
    name,
    value,
    verified_at: before.find((field) => field.value === value)?.verified_at ?? null,
  }));
}

function withoutBlankFields(fields: readonly Field[]): { name: string; value: string }[] {
  return fields
    .map(({ name, value }) => ({ name: name?.trim() ?? '', value: value?.trim() ?? '' }))
    .filter(({ name, value }) => name !== '' || value !== '');
}

function fieldErrors(fields: readonly Field[]): FieldError[] {
  const rows = withoutBlankFields(fields);
  const errors: FieldError[] = [];
  if (rows.length > profileLimits.fields) {
    errors.push({
      field: 'fields',
      error: 'ERR_TOO_LONG',
      description: message('problems.tooMany', { max: profileLimits.fields }),
    });
  }
  const { fieldText } = profileLimits;
  if (rows.some(({ name, value }) => exceedsLimit(name, fieldText) || exceedsLimit(value, fieldText))) {
    errors.push({
      field: 'fields',
      error: 'ERR_TOO_LONG',
      description: message('problems.fieldTooLong', { max: profileLimits.fieldText }),
    });
  }
  if (rows.some(({ name }) => name === '')) {
    errors.push({ field: 'fields', error: 'ERR_BLANK', description: message('problems.fieldWithoutLabel') });
  }
  return errors;
}

function domainErrors(domains: readonly string[]): FieldError[] {
  const field = 'attribution_domains';
  const wrong = domains.some((domain) => !domain.includes('.') || normalizeDomain(domain) === undefined);
  return [
    ...(domains.length > profileLimits.attributionDomains
      ? [
          {
            field,
            error: 'ERR_TOO_LONG',
            description: message('problems.tooManyDomains', { max: profileLimits.attributionDomains }),
          },
        ]
      : []),
    ...(wrong ? [{ field, error: 'ERR_INVALID', description: message('problems.invalidDomain') }] : []),
  ];
}

const textErrors = (field: string, text: string | undefined, limit: number): FieldError[] =>
  exceedsLimit(text?.trim() ?? '', limit) ? [tooLong(field, limit)] : [];

const tooLong = (field: string, limit: number): FieldError => ({
  field,
  error: 'ERR_TOO_LONG',
  description: message('problems.tooLong', { max: limit }),
});
