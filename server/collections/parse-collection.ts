import { HttpError, invalidFieldsError, type FieldError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { cleanText, exceedsLimit, isTagName, normalizeTag } from '../text/index.ts';
import { findLanguage } from '../text/languages/index.ts';

/** Limits of a local collection (reference/limits.tsv). */
export const collectionLimits = { items: 25, name: 40, description: 100 };

/** Input for a collection. Absent properties keep their value, or get the default. */
export interface CollectionText {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Empty: none. */
  readonly language?: string | undefined;
  /** With or without `#`; empty: none. */
  readonly tagName?: string | undefined;
}

/** Valid input, as stored. */
export interface ParsedCollectionText {
  readonly name?: string;
  readonly description?: string;
  readonly language?: string | null;
  readonly tagName?: string | null;
}

/** Parses the input for a collection. Throws 422 with all errors (`invalidCollection`). */
export function parseCollectionText(input: CollectionText): ParsedCollectionText {
  const name = input.name === undefined ? undefined : cleanText(input.name).trim();
  const description = input.description === undefined ? undefined : cleanText(input.description).trim();
  const errors: FieldError[] = [];
  if (name === '') errors.push({ field: 'name', error: 'ERR_BLANK', description: message('problems.blank') });
  errors.push(...tooLongErrors('name', name, collectionLimits.name));
  errors.push(...tooLongErrors('description', description, collectionLimits.description));
  const language = parseOptional(input.language, findLanguage);
  if (language === undefined && input.language !== undefined) {
    errors.push({ field: 'language', error: 'ERR_INCLUSION', description: message('problems.notIncluded') });
  }
  const tagName = parseOptional(input.tagName, parseTagName);
  if (tagName === undefined && input.tagName !== undefined) {
    errors.push({ field: 'tag_name', error: 'ERR_INVALID', description: message('problems.invalid') });
  }
  if (errors.length > 0) throw invalidCollection(errors);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    ...(tagName !== undefined && { tagName }),
  };
}

/**
 * Returns the 422 error for an invalid collection. Only collections nest the usual object inside `error`
 * (reference/errors.tsv, "Nested validation error").
 */
export function invalidCollection(errors: readonly FieldError[]): HttpError {
  const { text, details } = invalidFieldsError(errors);
  return new HttpError(422, text, { error: { error: text, ...details } });
}

/** Returns null for an empty text, undefined for an absent or invalid one. */
function parseOptional(
  text: string | undefined,
  read: (text: string) => string | undefined,
): string | null | undefined {
  if (text === undefined) return undefined;
  return text.trim() === '' ? null : read(text.trim());
}

function parseTagName(text: string): string | undefined {
  return isTagName(normalizeTag(text)) ? text : undefined;
}

function tooLongErrors(field: string, text: string | undefined, maxLength: number): FieldError[] {
  if (text === undefined || !exceedsLimit(text, maxLength)) return [];
  return [{ field, error: 'ERR_TOO_LONG', description: message('problems.tooLong', { max: maxLength }) }];
}
